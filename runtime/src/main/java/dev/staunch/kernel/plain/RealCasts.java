package dev.staunch.kernel.plain;

import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;

/**
 * Converts reals to integers, as {@link Elements#putDouble} specifies. Java's casts give the same
 * results except for values that do not fit. Those are looked for first: a tile at a time, in a
 * loop without branches.
 */
final class RealCasts {
  /**
   * The bits of 2^31 as a float; without their sign, the bits of every smaller magnitude are less.
   */
  private static final int BEYOND_INT = Float.floatToRawIntBits(0x1p31f);

  private static final int BEYOND_LONG = Float.floatToRawIntBits(0x1p63f);
  private static final long DOUBLE_BEYOND_INT = Double.doubleToRawLongBits(0x1p31);
  private static final long DOUBLE_BEYOND_LONG = Double.doubleToRawLongBits(0x1p63);

  private RealCasts() {}

  static void toLongs(float[] from, long[] into, int count) {
    boolean fits = areBelow(from, count, BEYOND_LONG);
    for (int i = 0; fits && i < count; i++) {
      into[i] = (long) from[i];
    }
    for (int i = 0; !fits && i < count; i++) {
      into[i] = Elements.wide(from[i]);
    }
  }

  static void toLongs(double[] from, long[] into, int count) {
    boolean fits = areBelow(from, count, DOUBLE_BEYOND_LONG);
    for (int i = 0; fits && i < count; i++) {
      into[i] = (long) from[i];
    }
    for (int i = 0; !fits && i < count; i++) {
      into[i] = Elements.wide(from[i]);
    }
  }

  /** Converts so that the low bits are those of an element of the integer dtype {@code as}. */
  static void toInts(float[] from, int[] into, int count, DType as) {
    if (areBelow(from, count, BEYOND_INT)) {
      for (int i = 0; i < count; i++) {
        into[i] = (int) from[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = as == DType.UINT8 ? (int) Elements.wide(from[i]) : Elements.narrow(from[i]);
      }
    }
  }

  /** As {@link #toInts(float[], int[], int, DType)}. */
  static void toInts(double[] from, int[] into, int count, DType as) {
    if (areBelow(from, count, DOUBLE_BEYOND_INT)) {
      for (int i = 0; i < count; i++) {
        into[i] = (int) from[i];
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[i] = as == DType.UINT8 ? (int) Elements.wide(from[i]) : Elements.narrow(from[i]);
      }
    }
  }

  /** Whether all are numbers, and closer to zero than the number with these bits. */
  private static boolean areBelow(float[] from, int count, int bits) {
    int signs = -1;
    for (int i = 0; i < count; i++) {
      signs &= (Float.floatToRawIntBits(from[i]) & Integer.MAX_VALUE) - bits;
    }
    return signs < 0;
  }

  private static boolean areBelow(double[] from, int count, long bits) {
    long signs = -1;
    for (int i = 0; i < count; i++) {
      signs &= (Double.doubleToRawLongBits(from[i]) & Long.MAX_VALUE) - bits;
    }
    return signs < 0;
  }
}
