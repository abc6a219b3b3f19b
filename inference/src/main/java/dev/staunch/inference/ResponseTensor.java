package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One output of an answer. It is copied out of the runtime's memory, so it outlives the request; or
 * it is {@linkplain InferenceRequest#output(String, MemorySegment) in the caller's memory}, where
 * it can be read until the caller closes that. Each accessor returns all elements, row-major, in a
 * new array. An accessor that would lose digits, or turn text into a number, throws and names the
 * accessor to call instead.
 */
public final class ResponseTensor {
  private final String name;
  private final Datatype datatype;
  private final Shape shape;
  private final MemorySegment elements;
  private final List<String> texts;

  private ResponseTensor(
      String name, Datatype datatype, Shape shape, MemorySegment elements, List<String> texts) {
    this.name = name;
    this.datatype = datatype;
    this.shape = shape;
    this.elements = elements;
    this.texts = texts;
  }

  /** An output of that datatype, backed by {@code elements}. */
  static ResponseTensor of(String name, Datatype datatype, Shape shape, MemorySegment elements) {
    return new ResponseTensor(name, datatype, shape, elements, List.of());
  }

  static ResponseTensor ofText(String name, String text) {
    return ofTexts(name, Shape.of(1), List.of(text));
  }

  static ResponseTensor ofTexts(String name, Shape shape, List<String> texts) {
    return new ResponseTensor(name, Datatype.BYTES, shape, MemorySegment.NULL, texts);
  }

  public String name() {
    return name;
  }

  /** The protocol's name for the element type, such as {@code FP32}. */
  public String datatype() {
    return datatype.name();
  }

  /** The element type, or null for strings. */
  public @Nullable DType dtype() {
    return datatype.dtype();
  }

  public Shape shape() {
    return shape;
  }

  /**
   * The elements of a floating-point output that a float represents exactly: {@code FP32}, FP16,
   * BF16.
   */
  public float[] floats() {
    check(fits(DType.FLOAT32), "floats");
    float[] values = new float[count()];
    if (datatype == Datatype.FP32) {
      MemorySegment.copy(elements, 0, MemorySegment.ofArray(values), 0, elements.byteSize());
      return values;
    }
    MemorySegment from = InputValues.aligned(elements, type());
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Elements.asDouble(from, type(), i);
    }
    return values;
  }

  /** The elements of any floating-point output. */
  public double[] doubles() {
    check(fits(DType.FLOAT64), "doubles");
    double[] values = new double[count()];
    if (datatype == Datatype.FP64) {
      MemorySegment.copy(elements, 0, MemorySegment.ofArray(values), 0, elements.byteSize());
      return values;
    }
    MemorySegment from = InputValues.aligned(elements, type());
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asDouble(from, type(), i);
    }
    return values;
  }

  /** The elements of any integer output. */
  public long[] longs() {
    check(fits(DType.INT64), "longs");
    long[] values = new long[count()];
    if (datatype == Datatype.INT64) {
      MemorySegment.copy(elements, 0, MemorySegment.ofArray(values), 0, elements.byteSize());
      return values;
    }
    MemorySegment from = InputValues.aligned(elements, type());
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asLong(from, type(), i);
    }
    return values;
  }

  /** The elements of an integer output of at most 32 bits. */
  public int[] ints() {
    check(fits(DType.INT32), "ints");
    int[] values = new int[count()];
    MemorySegment from = InputValues.aligned(elements, type());
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) Elements.asLong(from, type(), i);
    }
    return values;
  }

  /** The elements of a {@code BOOL} output. */
  public boolean[] booleans() {
    check(datatype == Datatype.BOOL, "booleans");
    boolean[] values = new boolean[count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asLong(elements, DType.BOOL, i) != 0;
    }
    return values;
  }

  /**
   * The elements of a {@code BYTES} output. A byte that is no part of a character, as a script may
   * leave it, is the half character U+DC00 + byte.
   */
  public String[] strings() {
    check(datatype == Datatype.BYTES, "strings");
    return texts.toArray(String[]::new);
  }

  /** The elements as they are in memory, in native byte order. Not for {@code BYTES} outputs. */
  public MemorySegment segment() {
    check(datatype != Datatype.BYTES, "segment");
    return elements.asReadOnly();
  }

  private int count() {
    return Shape.asInt(shape.elements());
  }

  private DType type() {
    DType dtype = datatype.dtype();
    if (dtype == null) {
      throw new IllegalStateException("texts have no dtype");
    }
    return dtype;
  }

  /** Whether {@code wide} represents every element exactly. */
  private boolean fits(DType wide) {
    DType dtype = datatype.dtype();
    return dtype != null && dtype.kind() == wide.kind() && dtype.bytes() <= wide.bytes();
  }

  /**
   * @throws StaunchException.ClosedException if the caller has closed the arena of its memory
   * @throws StaunchException.DTypeException unless {@code right}
   */
  private void check(boolean right, String reader) {
    if (!elements.scope().isAlive()) {
      String text = "the memory of output '%s' was closed before this use";
      throw Fault.of(FaultType.CLOSED, Message.of(text, name)).toException();
    }
    if (!right) {
      String text = "output '%s' is %s, which %s() does not read; call %s()";
      throw Fault.of(FaultType.DTYPE, Message.of(text, name, datatype, reader, reader()))
          .toException();
    }
  }

  private String reader() {
    return switch (datatype) {
      case BOOL -> "booleans";
      case BYTES -> "strings";
      case FP64 -> "doubles";
      case FP32, FP16, BF16 -> "floats";
      case INT64 -> "longs";
      case INT32, INT16, INT8, UINT8 -> "ints";
    };
  }

  /** Whether any of the elements lies where one of {@code other} does. */
  boolean overlaps(ResponseTensor other) {
    return elements.asOverlappingSlice(other.elements).isPresent();
  }

  /** {@code scores FP32[4, 1]}. */
  @Override
  public String toString() {
    return name + " " + datatype + shape;
  }
}
