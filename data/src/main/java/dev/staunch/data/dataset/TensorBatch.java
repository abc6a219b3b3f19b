package dev.staunch.data.dataset;

import dev.staunch.data.Batch;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Collections;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Tensors whose first dimension counts the examples of a batch. A dense field is one tensor with
 * the field's name. A sparse field {@code x} is three tensors in compressed sparse row format:
 * {@code x.values}, {@code x.indices} (int64, the column of each value) and {@code x.offsets}
 * (int64, where each row begins, and the end).
 *
 * <p>The tensors live in the batch's own scope, which {@link #close} closes; whoever holds the
 * batch owns it. To keep a tensor longer, move it with {@code ResourceScope.moveTo}. After the
 * close, its tensors must not be used. As thread-safe as its tensors.
 */
public final class TensorBatch implements Batch {
  private final ResourceScope scope;
  private final SequencedMap<String, DenseTensor> tensors;
  private final int examples;
  private final int pad;
  private final Position position;
  private final long bytes;

  TensorBatch(
      ResourceScope scope,
      SequencedMap<String, DenseTensor> tensors,
      int examples,
      int pad,
      Position position,
      long bytes) {
    this.scope = scope;
    this.tensors = Collections.unmodifiableSequencedMap(tensors);
    this.examples = examples;
    this.pad = pad;
    this.position = position;
    this.bytes = bytes;
  }

  /** The tensor of the first field. */
  public DenseTensor data() {
    return tensors.firstEntry().getValue();
  }

  /** The tensor called {@code label}. */
  public DenseTensor label() {
    return tensor("label");
  }

  /**
   * Returns the tensor with that name.
   *
   * @throws dev.staunch.fault.StaunchException.ValueException if there is none
   */
  public DenseTensor tensor(String name) {
    DenseTensor tensor = tensors.get(name);
    if (tensor == null) {
      throw Fault.value(
              Message.of("the batch has no tensor `%s`; it has %s", name, tensors.keySet()))
          .toException();
    }
    return tensor;
  }

  /** All tensors by name, in the order of the fields. */
  public Map<String, DenseTensor> tensors() {
    return tensors;
  }

  /** The number of examples, including padding. */
  public int examples() {
    return examples;
  }

  /** How many of the examples, at the end, are padding. */
  public int pad() {
    return pad;
  }

  /** The iterator's position after this batch. */
  public Position position() {
    return position;
  }

  /** The scope of the tensors. */
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    scope.close();
  }

  @Override
  public String toString() {
    return tensors + (pad == 0 ? "" : ", the last " + pad + " padding");
  }
}
