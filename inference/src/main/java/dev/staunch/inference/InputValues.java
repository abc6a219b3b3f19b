package dev.staunch.inference;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of an input, row-major, in an array owned by the request or in memory lent by the
 * caller. Numbers from JSON are kept as doubles or longs, whatever the datatype, because a
 * parameter that is a number takes them as they were written.
 *
 * @param dtype of the elements as stored in {@code segment}, in native order
 */
record InputValues(DType dtype, MemorySegment segment) {
  /** Represents any other thread that may read lent memory. */
  private static final Thread SOMEBODY = Thread.ofVirtual().unstarted(() -> {});

  static final InputValues NONE = of(new double[0]);

  /** Wraps the array without a copy. */
  static InputValues of(float[] values) {
    return new InputValues(DType.FLOAT32, MemorySegment.ofArray(values));
  }

  /** Wraps the array without a copy. */
  static InputValues of(double[] values) {
    return new InputValues(DType.FLOAT64, MemorySegment.ofArray(values));
  }

  /** Wraps the array without a copy. */
  static InputValues of(int[] values) {
    return new InputValues(DType.INT32, MemorySegment.ofArray(values));
  }

  /** Wraps the array without a copy. */
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

  /** Wraps {@code segment}, which the caller still owns. */
  static InputValues in(MemorySegment segment, DType dtype) {
    return new InputValues(dtype, segment.asReadOnly());
  }

  /**
   * Whether kernels can read the values in place: off-heap, aligned, accessible to every thread,
   * and not in a mapped file that may be truncated during the read.
   */
  boolean canBeBorrowed() {
    return segment.isNative()
        && !segment.isMapped()
        && isAligned()
        && segment.isAccessibleBy(SOMEBODY);
  }

  /** Whether any of the values lies in one of {@code segments}. */
  boolean isIn(Collection<MemorySegment> segments) {
    return segments.stream().anyMatch(other -> segment.asOverlappingSlice(other).isPresent());
  }

  /** Returns {@code segment}, or a copy whose elements are aligned. */
  static MemorySegment aligned(MemorySegment segment, DType dtype) {
    if (segment.maxByteAlignment() >= dtype.bytes()) {
      return segment;
    }
    MemorySegment copy = MemorySegment.ofArray(new long[Shape.asInt((segment.byteSize() + 7) / 8)]);
    return copy.copyFrom(segment).asSlice(0, segment.byteSize());
  }

  /**
   * Why lent memory cannot be read, as a format string with a place for the input's name; or null.
   */
  @Nullable String lost() {
    if (!segment.scope().isAlive()) {
      return "the memory of input '%s' was closed before the request was answered";
    }
    return segment.isAccessibleBy(Thread.currentThread())
        ? null
        : "the memory of input '%s' belongs to another thread; take it from a shared arena";
  }

  /** The number of elements; an incomplete element at the end does not count. */
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

  /** Returns the elements converted to another dtype. */
  MemorySegment as(DType other) {
    long bytes = size() * other.bytes();
    MemorySegment copy = MemorySegment.ofArray(new long[Shape.asInt((bytes + 7) / 8)]);
    copyTo(copy, other);
    return copy.asSlice(0, bytes);
  }

  /** Fills {@code tensor}, which must be contiguous and have the same number of elements. */
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
