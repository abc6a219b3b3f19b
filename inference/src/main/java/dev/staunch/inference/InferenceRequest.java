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
 * A request to a model: named inputs, each with a datatype, a shape and row-major values, and the
 * outputs that the caller wants. {@link ProtocolReader} reads one from JSON of the Open Inference
 * Protocol V2. Java code builds one from arrays:
 *
 * <pre>{@code
 * InferenceRequest.of("7").input("x", Shape.of(1, 2), 0.5f, 1f).output("scores")
 * }</pre>
 *
 * <p>If any input has the name of a parameter, inputs are bound to the method's parameters by name,
 * otherwise by position. A {@code List[Tensor]} is passed as inputs {@code xs.0}, {@code xs.1} and
 * so on, a {@code Dict[str, Tensor]} as {@code features.age}, {@code features.income} and so on. An
 * input with one value, of shape [1] or [], can be bound to an int, float, bool or str parameter.
 *
 * <p>Immutable: each {@code input} and {@code output} returns a new request with one more. Arrays
 * are copied at once; memory segments and buffers are borrowed until the request has been answered.
 */
public final class InferenceRequest {
  private final @Nullable String id;
  private final List<RequestTensor> inputs;
  private final List<String> outputs;

  /** The memory that outputs are written to, by name; all other outputs are returned in arrays. */
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

  /** Returns a request without inputs. The answer carries the same {@code id}. */
  public static InferenceRequest of(@Nullable String id) {
    return new InferenceRequest(id, List.of(), List.of());
  }

  /**
   * Returns this request with a float32 input ({@code FP32}) added.
   *
   * @throws StaunchException.RequestException unless the number of values is that of {@code shape}
   */
  public InferenceRequest input(String name, Shape shape, float... values) {
    return with(name, Datatype.FP32, shape, InputValues.of(values.clone()), List.of());
  }

  /** Like {@link #input(String, Shape, float...)}, for float64 ({@code FP64}). */
  public InferenceRequest input(String name, Shape shape, double... values) {
    return with(name, Datatype.FP64, shape, InputValues.of(values.clone()), List.of());
  }

  /** Like {@link #input(String, Shape, float...)}, for int32 ({@code INT32}). */
  public InferenceRequest input(String name, Shape shape, int... values) {
    return with(name, Datatype.INT32, shape, InputValues.of(values.clone()), List.of());
  }

  /** Like {@link #input(String, Shape, float...)}, for int64 ({@code INT64}). */
  public InferenceRequest input(String name, Shape shape, long... values) {
    return with(name, Datatype.INT64, shape, InputValues.of(values.clone()), List.of());
  }

  /** Like {@link #input(String, Shape, float...)}, for bool ({@code BOOL}). */
  public InferenceRequest input(String name, Shape shape, boolean... values) {
    return with(name, Datatype.BOOL, shape, InputValues.of(values), List.of());
  }

  /**
   * Like {@link #input(String, Shape, float...)}, for strings ({@code BYTES}); they form no tensor.
   */
  public InferenceRequest input(String name, Shape shape, String... values) {
    return with(name, Datatype.BYTES, shape, InputValues.NONE, List.of(values));
  }

  /**
   * Returns this request with an added input whose elements are in the caller's memory, row-major
   * and in native byte order. The elements must stay unchanged, and their arena open, until the
   * request has been answered; a model never writes to them. Off-heap memory is read in place. It
   * is copied, once, when the request is answered, if it is not aligned to the element size, if it
   * is a mapped file, if its arena is confined to one thread, if an output is written to it, or if
   * the model may keep it ({@link Model#stateUse}). On-heap arrays are copied then too.
   *
   * <p>If the arena is closed too early, even while the request is being answered, the answer is a
   * fault of type closed.
   *
   * @throws StaunchException.RequestException unless {@code elements} has exactly the bytes that
   *     {@code shape} needs, or if the protocol has no datatype for {@code dtype}
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
   * Like {@link #input(String, DType, Shape, MemorySegment)}, for the bytes between the position
   * and the limit of a direct or non-direct buffer.
   *
   * @throws StaunchException.RequestException also if the buffer is not in native byte order,
   *     because its numbers would be misread
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
   * Returns this request with one more requested output: the output of that name, or all parts of
   * the tuple, list or dict of that name. Once any output is requested, only requested ones are
   * returned.
   */
  public InferenceRequest output(String name) {
    List<String> more = new ArrayList<>(outputs);
    more.add(Objects.requireNonNull(name, "name"));
    return new InferenceRequest(id, inputs, more, targets);
  }

  /**
   * Like {@link #output(String)}, but the elements are written to the start of {@code target},
   * row-major and in native byte order, and the answer's output reads them from there. If {@code
   * target} is too small, not writable, or already has another output, the answer is a fault. An
   * input that lies in {@code target} is copied. After a fault, the contents of {@code target} are
   * undefined.
   */
  public InferenceRequest output(String name, MemorySegment target) {
    Map<String, MemorySegment> more = new HashMap<>(targets);
    more.put(name, target);
    return new InferenceRequest(id, inputs, output(name).outputs, more);
  }

  /** The caller's id for the request, or null if it gave none. */
  public @Nullable String id() {
    return id;
  }

  /** The requested outputs, in order; empty if all are wanted. */
  public List<String> outputs() {
    return outputs;
  }

  Map<String, MemorySegment> targets() {
    return targets;
  }

  List<RequestTensor> inputs() {
    return inputs;
  }

  /** The id, and each input with its datatype and shape, without values. */
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
