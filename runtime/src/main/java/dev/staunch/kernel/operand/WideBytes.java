package dev.staunch.kernel.operand;

import dev.staunch.type.DType;

/**
 * Widens elements of one byte to floats: C2 vectorises a loop from bytes to floats, not to ints.
 */
public final class WideBytes {
  private WideBytes() {}

  /**
   * Converts {@code count} elements of an integer dtype or bools, of which any but 0 is true.
   *
   * @param bytes also scratch memory
   */
  public static void widen(byte[] bytes, float[] into, int count, DType dtype) {
    switch (dtype) {
      case UINT8 -> {
        for (int i = 0; i < count; i++) {
          bytes[i] ^= Byte.MIN_VALUE;
        }
        for (int i = 0; i < count; i++) {
          into[i] = bytes[i] - (float) Byte.MIN_VALUE;
        }
      }
      case BOOL -> {
        for (int i = 0; i < count; i++) {
          into[i] = Math.min(Math.abs((float) bytes[i]), 1);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          into[i] = bytes[i];
        }
      }
    }
  }

  /** As {@link #widen}, and then to {@code ints}. */
  public static void widen(byte[] bytes, float[] through, int[] ints, int count, DType dtype) {
    widen(bytes, through, count, dtype);
    for (int i = 0; i < count; i++) {
      ints[i] = (int) through[i];
    }
  }
}
