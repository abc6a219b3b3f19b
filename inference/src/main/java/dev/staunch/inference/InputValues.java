package dev.staunch.inference;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of an input, row-major, in an array of the request's or in memory that the caller
 * lends. JSON's are kept as doubles or longs, whatever the datatype, since a parameter that is a
 * number takes them as they were written.
 *
 * @param dtype of the elements as they lie in {@code segment}, in native order
 */
record InputValues(DType dtype, MemorySegment segment) {
  /** Stands for the threads that may come to read memory which is lent. */
  private static final Thread SOMEBODY = Thread.ofVirtual().unstarted(() -> {});

  static final InputValues NONE = of(new double[0]);

  /** The values, whose array is kept. */
  static InputValues of(float[] values) {
    return new InputValues(DType.FLOAT32, MemorySegment.ofArray(values));
  }

  /** The values, whose array is kept. */
  static InputValues of(double[] values) {
    return new InputValues(DType.FLOAT64, MemorySegment.ofArray(values));
  }

  /** The values, whose array is kept. */
  static InputValues of(int[] values) {
    return new InputValues(DType.INT32, MemorySegment.ofArray(values));
  }

  /** The values, whose array is kept. */
  static InputValues of(long[] values) {
    return new InputValues(DType.INT64, MemorySegment.ofArray(values));
  }

  static InputValues of(boolean[] values) {
    byte[] flags = new byte[values.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = (byte) (values[i] ? 1 : 0);
    }
    return new InputValues(DType.BOOL, MemorySegment.ofArray(flags));
  }

  /** The values in {@code segment}, which stays the caller's. */
  static InputValues in(MemorySegment segment, DType dtype) {
    return new InputValues(dtype, segment.asReadOnly());
  }

  /**
   * Whether kernels can read the values where they are: off-heap, aligned, for every thread, and in
   * no file that may be cut under them.
   */
  boolean canBeBorrowed() {
    return segment.isNative()
        && !segment.isMapped()
        && isAligned()
        && segment.isAccessibleBy(SOMEBODY);
  }

  /** {@code segment}, or a copy of it whose elements can be addressed one by one. */
  static MemorySegment aligned(MemorySegment segment, DType dtype) {
    if (segment.maxByteAlignment() >= dtype.bytes()) {
      return segment;
    }
    MemorySegment copy = MemorySegment.ofArray(new long[Shape.asInt((segment.byteSize() + 7) / 8)]);
    return copy.copyFrom(segment).asSlice(0, segment.byteSize());
  }

  /** Why memory that was lent cannot be read, with a place for the input's name; or null. */
  @Nullable String lost() {
    if (!segment.scope().isAlive()) {
      return "the memory of input '%s' was closed before the request was answered";
    }
    return segment.isAccessibleBy(Thread.currentThread())
        ? null
        : "the memory of input '%s' belongs to another thread; take it from a shared arena";
  }

  /** How many; bytes that are no whole element count for none. */
  long size() {
    return segment.byteSize() / dtype.bytes();
  }

  double real(long i) {
    return isAligned()
        ? Elements.asDouble(segment, dtype, i)
        : Elements.asDouble(element(i), dtype, 0);
  }

  long integer(long i) {
    return isAligned() ? Elements.asLong(segment, dtype, i) : Elements.asLong(element(i), dtype, 0);
  }

  private boolean isAligned() {
    return segment.maxByteAlignment() >= dtype.bytes();
  }

  private MemorySegment element(long i) {
    return aligned(segment.asSlice(i * dtype.bytes(), dtype.bytes()), dtype);
  }

  /** The elements in another dtype. */
  MemorySegment as(DType other) {
    long bytes = size() * other.bytes();
    MemorySegment copy = MemorySegment.ofArray(new long[Shape.asInt((bytes + 7) / 8)]);
    copyTo(copy, other);
    return copy.asSlice(0, bytes);
  }

  /** Fills {@code tensor}, which is contiguous and has as many elements. */
  void copyTo(DenseTensor tensor) {
    copyTo(tensor.segment(), tensor.dtype());
  }

  private void copyTo(MemorySegment into, DType other) {
    long count = size();
    if (other == dtype) {
      MemorySegment.copy(segment, 0, into, 0, segment.byteSize());
    } else if (dtype == DType.FLOAT64 && other == DType.FLOAT32) {
      for (int i = 0; i < count; i++) {
        float value = (float) segment.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        into.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
      }
    } else if (dtype.isFloating()) {
      for (int i = 0; i < count; i++) {
        Elements.putDouble(into, other, i, real(i));
      }
    } else {
      for (int i = 0; i < count; i++) {
        Elements.putLong(into, other, i, integer(i));
      }
    }
  }
}
