package dev.staunch.inference;

import dev.staunch.fault.StaunchException;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
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
 * copied.
 */
public final class InferenceRequest {
  private final @Nullable String id;
  private final List<RequestTensor> inputs;
  private final List<String> outputs;

  InferenceRequest(@Nullable String id, List<RequestTensor> inputs, List<String> outputs) {
    this.id = id;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
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
    double[] wide = new double[values.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = values[i];
    }
    return with(name, Datatype.FP32, shape, NumberBuffer.of(wide), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of float64 ({@code FP64}). */
  public InferenceRequest input(String name, Shape shape, double... values) {
    return with(name, Datatype.FP64, shape, NumberBuffer.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of int32 ({@code INT32}). */
  public InferenceRequest input(String name, Shape shape, int... values) {
    long[] wide = new long[values.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = values[i];
    }
    return with(name, Datatype.INT32, shape, NumberBuffer.of(wide), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of int64 ({@code INT64}). */
  public InferenceRequest input(String name, Shape shape, long... values) {
    return with(name, Datatype.INT64, shape, NumberBuffer.of(values.clone()), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of bool ({@code BOOL}). */
  public InferenceRequest input(String name, Shape shape, boolean... values) {
    long[] numbers = new long[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values[i] ? 1 : 0;
    }
    return with(name, Datatype.BOOL, shape, NumberBuffer.of(numbers), List.of());
  }

  /** As {@link #input(String, Shape, float...)}, of texts ({@code BYTES}), which are no tensor. */
  public InferenceRequest input(String name, Shape shape, String... values) {
    return with(name, Datatype.BYTES, shape, new NumberBuffer(), List.of(values));
  }

  private InferenceRequest with(
      String name, Datatype datatype, Shape shape, NumberBuffer numbers, List<String> texts) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(shape, "shape");
    List<RequestTensor> more = new ArrayList<>(inputs);
    more.add(RequestTensor.ofJava(name, datatype, shape, numbers, texts));
    return new InferenceRequest(id, more, outputs);
  }

  /** This, asking for the output of that name; once any is asked for, only those come. */
  public InferenceRequest output(String name) {
    List<String> more = new ArrayList<>(outputs);
    more.add(Objects.requireNonNull(name, "name"));
    return new InferenceRequest(id, inputs, more);
  }

  /** The caller's name for the request, if it gave one. */
  public @Nullable String id() {
    return id;
  }

  /** The outputs asked for, in order; empty for all. */
  public List<String> outputs() {
    return outputs;
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
