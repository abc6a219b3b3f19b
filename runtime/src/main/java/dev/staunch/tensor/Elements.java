package dev.staunch.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * Reads single elements of any real dtype, and writes reals as elements of any dtype, at a position
 * counted in elements of the storage. General but slow: kernels with a hot loop address the segment
 * themselves.
 */
public final class Elements {
  private Elements() {}

  /** The element as a double; int64 values beyond 2^53 are rounded. */
  public static double asDouble(MemorySegment segment, DType dtype, long at) {
    return switch (dtype) {
      case FLOAT32 -> segment.getAtIndex(JAVA_FLOAT, at);
      case FLOAT64 -> segment.getAtIndex(JAVA_DOUBLE, at);
      case FLOAT16 -> Float.float16ToFloat(segment.getAtIndex(JAVA_SHORT, at));
      case BFLOAT16 -> Float.intBitsToFloat(segment.getAtIndex(JAVA_SHORT, at) << 16);
      case INT64, INT32, INT16, INT8, UINT8, BOOL -> asLong(segment, dtype, at);
      case COMPLEX64, COMPLEX128 ->
          throw new IllegalArgumentException(dtype + " has no real value");
    };
  }

  /** The element as a long, truncated toward zero; bool is 0 or 1. */
  public static long asLong(MemorySegment segment, DType dtype, long at) {
    return switch (dtype) {
      case INT64 -> segment.getAtIndex(JAVA_LONG, at);
      case INT32 -> segment.getAtIndex(JAVA_INT, at);
      case INT16 -> segment.getAtIndex(JAVA_SHORT, at);
      case INT8 -> segment.get(JAVA_BYTE, at);
      case UINT8 -> segment.get(JAVA_BYTE, at) & 0xff;
      case BOOL -> segment.get(JAVA_BYTE, at) == 0 ? 0 : 1;
      case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> (long) asDouble(segment, dtype, at);
      case COMPLEX64, COMPLEX128 ->
          throw new IllegalArgumentException(dtype + " has no real value");
    };
  }

  /**
   * Stores {@code value} rounded to the dtype, for integers towards zero. Beyond the range of an
   * integer dtype, where C leaves the result open, the result is that of x86 processors, and so
   * PyTorch's there. NaN and values outside int64 (for int64 and uint8) or outside int32 (for
   * int32, int16 and int8) become the lowest number of that dtype; uint8, int16 and int8 then take
   * its low bits. A complex dtype gets the imaginary part 0.
   */
  public static void putDouble(MemorySegment segment, DType dtype, long at, double value) {
    switch (dtype) {
      case FLOAT32 -> segment.setAtIndex(JAVA_FLOAT, at, (float) value);
      case FLOAT64 -> segment.setAtIndex(JAVA_DOUBLE, at, value);
      case FLOAT16 -> segment.setAtIndex(JAVA_SHORT, at, Float.floatToFloat16((float) value));
      case BFLOAT16 -> segment.setAtIndex(JAVA_SHORT, at, toBfloat16((float) value));
      case BOOL -> segment.set(JAVA_BYTE, at, (byte) (value == 0 ? 0 : 1));
      case INT64, UINT8 -> putLong(segment, dtype, at, wide(value));
      case INT32, INT16, INT8 -> putLong(segment, dtype, at, narrow(value));
      case COMPLEX64, COMPLEX128 -> putReal(segment, dtype, at, value);
    }
  }

  /** Converts {@code value} for int64 and uint8, as {@link #putDouble} describes. */
  public static long wide(double value) {
    long number = (long) value;
    return number == Long.MAX_VALUE || Double.isNaN(value) ? Long.MIN_VALUE : number;
  }

  /** Converts {@code value} for int32, int16 and int8, as {@link #putDouble} describes. */
  public static int narrow(double value) {
    long number = (long) value;
    return number != (int) number || Double.isNaN(value) ? Integer.MIN_VALUE : (int) number;
  }

  /**
   * Stores {@code value}. Narrower integers wrap around in two's complement. A real dtype rounds
   * the value once; one narrower than float32 rounds it to float32 first.
   */
  public static void putLong(MemorySegment segment, DType dtype, long at, long value) {
    switch (dtype) {
      case INT64 -> segment.setAtIndex(JAVA_LONG, at, value);
      case INT32 -> segment.setAtIndex(JAVA_INT, at, (int) value);
      case INT16 -> segment.setAtIndex(JAVA_SHORT, at, (short) value);
      case INT8, UINT8 -> segment.set(JAVA_BYTE, at, (byte) value);
      case BOOL -> segment.set(JAVA_BYTE, at, (byte) (value == 0 ? 0 : 1));
      case FLOAT64 -> segment.setAtIndex(JAVA_DOUBLE, at, (double) value);
      case FLOAT32, FLOAT16, BFLOAT16 -> putDouble(segment, dtype, at, (float) value);
      case COMPLEX64 -> putReal(segment, dtype, at, (float) value);
      case COMPLEX128 -> putReal(segment, dtype, at, (double) value);
    }
  }

  private static void putReal(MemorySegment segment, DType complex, long at, double re) {
    putComplex(segment, complex, at, re, 0);
  }

  /** Stores a complex number, both parts rounded to the dtype; of a real dtype, its real part. */
  public static void putComplex(MemorySegment segment, DType dtype, long at, double re, double im) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      putDouble(segment, dtype.parts(), 2 * at, re);
      putDouble(segment, dtype.parts(), 2 * at + 1, im);
    } else {
      putDouble(segment, dtype, at, re);
    }
  }

  /** {@code value} as an element of a floating {@code dtype} would hold it. */
  public static double rounded(DType dtype, double value) {
    return switch (dtype) {
      case FLOAT64 -> value;
      case FLOAT32 -> (float) value;
      case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
      case BFLOAT16 -> Float.intBitsToFloat(toBfloat16((float) value) << 16);
      case INT64, INT32, INT16, INT8, UINT8, BOOL, COMPLEX64, COMPLEX128 ->
          throw new IllegalArgumentException(dtype + " is not floating");
    };
  }

  /** The bits of the nearest bfloat16, ties to even. */
  public static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) 0x7fc0;
    }
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }

  /** The storage positions of a layout's elements, in row-major order of the index. */
  public static long[] positions(Layout layout) {
    Shape shape = layout.shape();
    long[] positions = new long[Shape.asInt(shape.elements())];
    long[] index = new long[shape.rank()];
    long at = layout.offset();
    for (int i = 0; i < positions.length; i++) {
      positions[i] = at;
      for (int d = shape.rank() - 1; d >= 0; d--) {
        at += layout.stride(d);
        if (++index[d] < shape.size(d)) {
          break;
        }
        at -= layout.stride(d) * shape.size(d);
        index[d] = 0;
      }
    }
    return positions;
  }
}
