package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a model is asked: named inputs, each with a datatype, a shape and row-major values, and
 * which outputs are wanted. Read from JSON of the Open Inference Protocol V2 by {@link
 * ProtocolReader}, or made of Java arrays:
 *
 * <pre>{@code
 * InferenceRequest.of("7").input("x", Shape.of(1, 2), 0.5f, 1f).output("scores")
 * }</pre>
 *
 * <p>Inputs go to the method's parameters by name if any has a parameter's name, else by position.
 * A {@code List[Tensor]} is given as inputs {@code xs.0}, {@code xs.1} and so on, a {@code
 * Dict[str, Tensor]} as {@code features.age}, {@code features.income} and so on; one value of shape
 * [1] or [] may be an int, float, bool or str parameter.
 *
 * <p>Immutable: each {@code input} and {@code output} gives a request that has one more. Arrays are
 * copied at once; memory segments and buffers are lent until the request has been answered.
 */
public final class InferenceRequest {
  private final @Nullable String id;
  private final List<RequestTensor> inputs;
  private final List<String> outputs;

  /** Where outputs are to be written, by name; the others come in arrays. */
  private final Map<String, MemorySegment> targets;

  InferenceRequest(@Nullable String id, List<RequestTensor> inputs, List<String> outputs) {
    this(id, inputs, outputs, Map.of());
  }

  private InferenceRequest(
      @Nullable String id,
      List<RequestTensor> inputs,
      List<String> outputs,
      Map<String, MemorySegment> targets) {
    this.id = id;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.targets = Map.copyOf(targets);
  }

  /** A request without inputs; {@code id} comes back with the answer. */
  public static InferenceRequest of(@Nullable String id) {
    return new InferenceRequest(id, List.of(), List.of());
  }

  /**
   * This with a float32 input ({@code FP32}).
   *
   * @throws StaunchException.RequestException unless there are as many values as {@code shape} has
   */
  public InferenceRequest input(String name, Shape shape, float... values) {
    return with(name, Datatype.FP32, shape, InputValues.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of float64 ({@code FP64}). */
  public InferenceRequest input(String name, Shape shape, double... values) {
    return with(name, Datatype.FP64, shape, InputValues.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of int32 ({@code INT32}). */
  public InferenceRequest input(String name, Shape shape, int... values) {
    return with(name, Datatype.INT32, shape, InputValues.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of int64 ({@code INT64}). */
  public InferenceRequest input(String name, Shape shape, long... values) {
    return with(name, Datatype.INT64, shape, InputValues.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of bool ({@code BOOL}). */
  public InferenceRequest input(String name, Shape shape, boolean... values) {
    return with(name, Datatype.BOOL, shape, InputValues.of(values), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of texts ({@code BYTES}), which are no tensor. */
  public InferenceRequest input(String name, Shape shape, String... values) {
    return with(name, Datatype.BYTES, shape, InputValues.NONE, List.of(values));
  }

  /**
   * This with an input whose elements lie in memory of the caller's, row-major and in native byte
   * order. They must stay as they are, and their arena open, until the request has been answered; a
   * model never writes them. Off-heap memory is read where it lies. It is copied, once, when the
   * request is answered, if it is not aligned to the size of an element, if it is a mapped file, if
   * its arena is confined to one thread, or if the model may keep it ({@link Model#stateUse}); so
   * are arrays.
   *
   * <p>An arena that is closed too early, be it while the request is answered, is a fault of type
   * closed.
   *
   * @throws StaunchException.RequestException unless {@code elements} has as many bytes as {@code
   *     shape} needs, or if the protocol has no datatype for {@code dtype}
   */
  public InferenceRequest input(String name, DType dtype, Shape shape, MemorySegment elements) {
    Datatype datatype = Datatype.of(dtype);
    if (datatype == null) {
      throw refused(name, "input '%s' cannot be %s, for which the protocol has no datatype", dtype);
    }
    if (elements.byteSize() % dtype.bytes() != 0) {
      throw refused(
          name,
          "input '%s' is given %s, which is not a whole number of elements",
          elements.byteSize() + " bytes");
    }
    return with(name, datatype, shape, InputValues.in(elements, dtype), List.of());
  }

  /**
   * As {@link #input(String, DType, Shape, MemorySegment)}, from the bytes between the buffer's
   * position and its limit, be it direct or not.
   *
   * @throws StaunchException.RequestException also if the buffer is not in native byte order, in
   *     which its numbers would be taken for others
   */
  public InferenceRequest input(String name, DType dtype, Shape shape, ByteBuffer elements) {
    if (elements.order() != ByteOrder.nativeOrder() && dtype.bytes() > 1) {
      throw refused(
          name,
          "the buffer of input '%s' is %s; call order(ByteOrder.nativeOrder()) before it is filled",
          elements.order());
    }
    return input(name, dtype, shape, MemorySegment.ofBuffer(elements));
  }

  private static StaunchException refused(String name, String text, Object what) {
    return Fault.of(FaultType.REQUEST, Message.of(text, name, what)).withInput(name).toException();
  }

  private InferenceRequest with(
      String name, Datatype datatype, Shape shape, InputValues values, List<String> texts) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(shape, "shape");
    List<RequestTensor> more = new ArrayList<>(inputs);
    more.add(RequestTensor.ofJava(name, datatype, shape, values, texts));
    return new InferenceRequest(id, more, outputs, targets);
  }

  /**
   * This, asking for the output of that name, or all parts of the tuple, list or dict of that name;
   * once any is asked for, only those come.
   */
  public InferenceRequest output(String name) {
    List<String> more = new ArrayList<>(outputs);
    more.add(Objects.requireNonNull(name, "name"));
    return new InferenceRequest(id, inputs, more, targets);
  }

  /**
   * As {@link #output(String)}; its elements are written to the start of {@code target}, row-major
   * and in native byte order, and the answer's output reads from there. An output that needs more
   * bytes than there are is a fault, as is memory that may not be written. After a fault {@code
   * target} may hold anything.
   */
  public InferenceRequest output(String name, MemorySegment target) {
    Map<String, MemorySegment> more = new HashMap<>(targets);
    more.put(name, target);
    return new InferenceRequest(id, inputs, output(name).outputs, more);
  }

  /** The caller's name for the request, if it gave one. */
  public @Nullable String id() {
    return id;
  }

  /** The outputs asked for, in order; empty for all. */
  public List<String> outputs() {
    return outputs;
  }

  Map<String, MemorySegment> targets() {
    return targets;
  }

  List<RequestTensor> inputs() {
    return inputs;
  }

  /** The id, and each input with its datatype and shape; no values. */
  @Override
  public String toString() {
    String what = inputs.stream().map(RequestTensor::describe).collect(Collectors.joining(", "));
    return "InferenceRequest["
        + (id == null ? "" : "id=" + id + ", ")
        + what
        + (outputs.isEmpty() ? "" : " -> " + String.join(", ", outputs))
        + "]";
  }
}
