package dev.staunch.tensor;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Copies between tensors and Java arrays. The methods that create tensors return a {@link
 * DenseTensor} or a {@link Fault}, also if the scope is closed.
 */
public final class HostTensors {
  private HostTensors() {}

  public static Object floats(ResourceScope scope, Shape shape, float... values) {
    return filled(scope, DType.FLOAT32, shape, MemorySegment.ofArray(values), values.length);
  }

  public static Object doubles(ResourceScope scope, Shape shape, double... values) {
    return filled(scope, DType.FLOAT64, shape, MemorySegment.ofArray(values), values.length);
  }

  public static Object longs(ResourceScope scope, Shape shape, long... values) {
    return filled(scope, DType.INT64, shape, MemorySegment.ofArray(values), values.length);
  }

  public static Object ints(ResourceScope scope, Shape shape, int... values) {
    return filled(scope, DType.INT32, shape, MemorySegment.ofArray(values), values.length);
  }

  /** One byte per element, 0 or 1. */
  public static Object bools(ResourceScope scope, Shape shape, byte... values) {
    return filled(scope, DType.BOOL, shape, MemorySegment.ofArray(values), values.length);
  }

  /** A tensor of any dtype from its raw little-endian bytes, row-major. */
  public static Object bytes(ResourceScope scope, DType dtype, Shape shape, MemorySegment raw) {
    Fault unreadable = untouchable("elements", raw);
    if (unreadable != null) {
      return unreadable;
    }
    long count = raw.byteSize() / dtype.bytes();
    if (count * dtype.bytes() != raw.byteSize()) {
      return Fault.shape(
          raw.byteSize() + " bytes are not a whole number of " + dtype + " elements");
    }
    return filled(scope, dtype, shape, raw, count);
  }

  private static Object filled(
      ResourceScope scope, DType dtype, Shape shape, MemorySegment values, long count) {
    if (shape.elements() != count) {
      return Fault.shape(
              Message.of(
                  "shape %s needs %s, got %s",
                  shape, Message.count(shape.elements(), "value"), count))
          .withExpected(Message.count(shape.elements(), "value"), Message.count(count, "value"));
    }
    Object made = DenseTensor.allocate(scope, dtype, shape);
    return filled(
        made, tensor -> MemorySegment.copy(values, 0, tensor.segment(), 0, values.byteSize()));
  }

  /**
   * Runs {@code filling} on the tensor {@code made}, whose bytes stay even if it is closed
   * meanwhile, and returns the tensor. Returns the fault that is in its place, or the fault of a
   * closed scope, which has closed the tensor. Closes the tensor if {@code filling} throws.
   */
  public static Object filled(Object made, Consumer<DenseTensor> filling) {
    if (!(made instanceof DenseTensor tensor)) {
      return made;
    }
    if (!tensor.storage().retain()) {
      return tensor.closedFault();
    }
    boolean isFilled = false;
    try {
      filling.accept(tensor);
      isFilled = true;
      return tensor;
    } finally {
      tensor.release();
      if (!isFilled) {
        tensor.close();
      }
    }
  }

  /** The fault of a segment, called {@code name}, that this thread may not access; or null. */
  static @Nullable Fault untouchable(String name, MemorySegment segment) {
    if (!segment.scope().isAlive()) {
      String text = "the arena of the segment `%s` is closed; read it before";
      return Fault.of(FaultType.CLOSED, Message.of(text, name));
    }
    String text = "the segment `%s` belongs to another thread; take it from a shared arena";
    return segment.isAccessibleBy(Thread.currentThread())
        ? null
        : Fault.value(Message.of(text, name));
  }

  /** The fault of a segment, called {@code target}, that this thread may not write; or null. */
  static @Nullable Fault unwritable(MemorySegment target) {
    return target.isReadOnly()
        ? Fault.value("the segment `target` is read-only; give one that may be written")
        : untouchable("target", target);
  }

  /**
   * Applies {@code reader} to the tensor, whose elements stay even if it is closed meanwhile.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are already gone
   */
  static <R> R reading(DenseTensor tensor, Function<DenseTensor, R> reader) {
    if (!tensor.storage().retain()) {
      throw tensor.closedFault().toException();
    }
    try {
      return reader.apply(tensor);
    } finally {
      tensor.release();
    }
  }

  /**
   * All elements in row-major order, as floats.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public static float[] toFloats(DenseTensor tensor) {
    return reading(tensor, HostTensors::floats);
  }

  private static float[] floats(DenseTensor tensor) {
    if (tensor.dtype() == DType.FLOAT32 && tensor.isContiguous()) {
      float[] values = new float[Shape.asInt(tensor.elements())];
      MemorySegment.copy(
          tensor.segment(),
          ValueLayout.JAVA_FLOAT,
          tensor.layout().offset() * Float.BYTES,
          values,
          0,
          values.length);
      return values;
    }
    long[] positions = Elements.positions(tensor.layout());
    float[] values = new float[positions.length];
    boolean reals = tensor.dtype().isFloating();
    for (int i = 0; i < values.length; i++) {
      values[i] =
          reals
              ? (float) Elements.asDouble(tensor.segment(), tensor.dtype(), positions[i])
              : Elements.asLong(tensor.segment(), tensor.dtype(), positions[i]);
    }
    return values;
  }

  /** As {@link #toFloats}, as doubles. */
  public static double[] toDoubles(DenseTensor tensor) {
    return reading(tensor, HostTensors::doubles);
  }

  private static double[] doubles(DenseTensor tensor) {
    Layout layout = tensor.layout();
    long[] positions = Elements.positions(layout);
    double[] values = new double[positions.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), positions[i]);
    }
    return values;
  }

  /** As {@link #toFloats}, as longs. */
  public static long[] toLongs(DenseTensor tensor) {
    return reading(tensor, HostTensors::longs);
  }

  private static long[] longs(DenseTensor tensor) {
    long[] positions = Elements.positions(tensor.layout());
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Elements.asLong(tensor.segment(), tensor.dtype(), positions[i]);
    }
    return positions;
  }

  /**
   * Copies the raw elements, row-major, to the start of {@code target}. Returns the fault that
   * prevented it, such as that the tensor is closed; or null.
   */
  public static @Nullable Fault copyTo(DenseTensor tensor, MemorySegment target) {
    Fault unwritable = unwritable(target);
    if (unwritable != null) {
      return unwritable;
    }
    int width = tensor.dtype().bytes();
    long bytes = tensor.elements() * width;
    if (target.byteSize() < bytes) {
      return Fault.shape(
              Message.of(
                  "the tensor's %d bytes do not fit the %d of the target",
                  bytes, target.byteSize()))
          .withExpected(bytes + " bytes", target.byteSize() + " bytes");
    }
    if (!tensor.storage().retain()) {
      return tensor.closedFault();
    }
    try {
      copyOpen(tensor, target, width);
      return null;
    } finally {
      tensor.release();
    }
  }

  private static void copyOpen(DenseTensor tensor, MemorySegment target, int width) {
    if (tensor.isContiguous()) {
      long from = tensor.layout().offset() * width;
      MemorySegment.copy(tensor.segment(), from, target, 0, tensor.elements() * width);
      return;
    }
    long[] positions = Elements.positions(tensor.layout());
    for (int i = 0; i < positions.length; i++) {
      MemorySegment.copy(tensor.segment(), positions[i] * width, target, (long) i * width, width);
    }
  }
}
