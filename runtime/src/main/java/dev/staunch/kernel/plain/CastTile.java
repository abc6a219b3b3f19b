package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.kernel.operand.WideBytes;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/**
 * Casts contiguous elements, as {@link Elements} does, through arrays that are only as wide as the
 * elements need: C2 vectorises these loops. For one thread.
 */
final class CastTile {
  private final DType from;
  private final DType to;

  /** Elements of dtypes of one or two bytes, in their memory representation. */
  private final byte[] bytes;

  private final short[] shorts;

  /** Integers of 32 bits or fewer, and bools. */
  private final int[] ints;

  private final long[] longs;
  private final float[] floats;
  private final double[] doubles;

  /**
   * @param size the most elements in one cast
   */
  CastTile(DType from, DType to, int size) {
    this.from = from;
    this.to = to;
    this.bytes = new byte[from.bytes() == 1 || to.bytes() == 1 ? size : 0];
    this.shorts = new short[from == DType.INT16 || to == DType.INT16 ? size : 0];
    this.ints = new int[isShort(from) || isShort(to) ? size : 0];
    this.longs = new long[from == DType.INT64 || to == DType.INT64 ? size : 0];
    boolean single = from.bytes() == 1 || from == DType.FLOAT32 || to == DType.FLOAT32;
    this.floats = new float[single ? size : 0];
    this.doubles = new double[from == DType.FLOAT64 || to == DType.FLOAT64 ? size : 0];
  }

  static boolean takes(DType from, DType to) {
    return takes(from) && takes(to);
  }

  private static boolean takes(DType dtype) {
    return isShort(dtype)
        || dtype == DType.INT64
        || dtype == DType.FLOAT32
        || dtype == DType.FLOAT64;
  }

  private static boolean isShort(DType dtype) {
    return switch (dtype) {
      case BOOL, UINT8, INT8, INT16, INT32 -> true;
      case INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 -> false;
    };
  }

  /** Casts {@code count} elements, starting at {@code at}; positions count elements. */
  void cast(MemorySegment source, long at, MemorySegment target, long place, int count) {
    load(source, at, count);
    if (from == DType.INT64) {
      ofLongs(count);
    } else if (from == DType.FLOAT32) {
      ofFloats(count);
    } else if (from == DType.FLOAT64) {
      ofDoubles(count);
    } else {
      ofInts(count);
    }
    store(target, place, count);
  }

  private void load(MemorySegment source, long at, int count) {
    switch (from.bytes()) {
      case 1 -> {
        MemorySegment.copy(source, JAVA_BYTE, at, bytes, 0, count);
        if (to == DType.FLOAT32) {
          WideBytes.widen(bytes, floats, count, from);
        } else {
          WideBytes.widen(bytes, floats, ints, count, from);
        }
      }
      case 2 -> {
        MemorySegment.copy(source, JAVA_SHORT, at * Short.BYTES, shorts, 0, count);
        for (int i = 0; i < count; i++) {
          ints[i] = shorts[i];
        }
      }
      case 4 -> {
        if (from == DType.INT32 || to == DType.BOOL) { // of a float, its bits
          MemorySegment.copy(source, JAVA_INT, at * Integer.BYTES, ints, 0, count);
        } else {
          MemorySegment.copy(source, JAVA_FLOAT, at * Float.BYTES, floats, 0, count);
        }
      }
      default -> {
        if (from == DType.INT64) {
          MemorySegment.copy(source, JAVA_LONG, at * Long.BYTES, longs, 0, count);
        } else {
          MemorySegment.copy(source, JAVA_DOUBLE, at * Double.BYTES, doubles, 0, count);
        }
      }
    }
  }

  private void store(MemorySegment target, long place, int count) {
    switch (to.bytes()) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          bytes[i] = (byte) ints[i];
        }
        MemorySegment.copy(bytes, 0, target, JAVA_BYTE, place, count);
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          shorts[i] = (short) ints[i];
        }
        MemorySegment.copy(shorts, 0, target, JAVA_SHORT, place * Short.BYTES, count);
      }
      case 4 -> {
        if (to == DType.INT32) {
          MemorySegment.copy(ints, 0, target, JAVA_INT, place * Integer.BYTES, count);
        } else {
          MemorySegment.copy(floats, 0, target, JAVA_FLOAT, place * Float.BYTES, count);
        }
      }
      default -> {
        if (to == DType.INT64) {
          MemorySegment.copy(longs, 0, target, JAVA_LONG, place * Long.BYTES, count);
        } else {
          MemorySegment.copy(doubles, 0, target, JAVA_DOUBLE, place * Double.BYTES, count);
        }
      }
    }
  }

  /** Replaces every value by 1, except 0. */
  private static void toTruths(int[] ints, int count) {
    for (int i = 0; i < count; i++) {
      ints[i] = (ints[i] | -ints[i]) >>> (Integer.SIZE - 1);
    }
  }

  private void ofInts(int count) {
    switch (to) {
      case INT64 -> {
        for (int i = 0; i < count; i++) {
          longs[i] = ints[i];
        }
      }
      case FLOAT32 -> {
        for (int i = 0; from.bytes() > 1 && i < count; i++) {
          floats[i] = ints[i];
        }
      }
      case FLOAT64 -> {
        for (int i = 0; i < count; i++) {
          doubles[i] = ints[i];
        }
      }
      case BOOL -> toTruths(ints, count);
      default -> {} // the low bits are in place
    }
  }

  private void ofLongs(int count) {
    switch (to) {
      case FLOAT32 -> {
        for (int i = 0; i < count; i++) {
          floats[i] = longs[i];
        }
      }
      case FLOAT64 -> {
        for (int i = 0; i < count; i++) {
          doubles[i] = longs[i];
        }
      }
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          ints[i] = (int) ((longs[i] | -longs[i]) >>> (Long.SIZE - 1));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          ints[i] = (int) longs[i];
        }
      }
    }
  }

  private void ofFloats(int count) {
    switch (to) {
      case FLOAT64 -> {
        for (int i = 0; i < count; i++) {
          doubles[i] = floats[i];
        }
      }
      case INT64 -> RealCasts.toLongs(floats, longs, count);
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          ints[i] <<= 1; // drops the sign of zero
        }
        toTruths(ints, count);
      }
      default -> RealCasts.toInts(floats, ints, count, to);
    }
  }

  private void ofDoubles(int count) {
    switch (to) {
      case FLOAT32 -> {
        for (int i = 0; i < count; i++) {
          floats[i] = (float) doubles[i];
        }
      }
      case INT64 -> RealCasts.toLongs(doubles, longs, count);
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          long bits = Double.doubleToRawLongBits(doubles[i]) << 1;
          ints[i] = (int) ((bits | -bits) >>> (Long.SIZE - 1));
        }
      }
      default -> RealCasts.toInts(doubles, ints, count, to);
    }
  }
}
