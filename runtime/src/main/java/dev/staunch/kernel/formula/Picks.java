package dev.staunch.kernel.formula;

/**
 * Branch-free selections. With a random mask, the processor would mispredict every second branch,
 * which costs more than everything else in a loop. These functions select by bits.
 */
final class Picks {
  private static final long INFINITY = 0x7ff0000000000000L;

  private Picks() {}

  /** {@code a != 0 ? yes : no}. */
  static float unlessZero(float a, float yes, float no) {
    int shifted = Float.floatToRawIntBits(a) << 1; // either zero becomes 0
    int mask = (shifted | -shifted) >> (Integer.SIZE - 1);
    int other = Float.floatToRawIntBits(no);
    return Float.intBitsToFloat(other ^ ((other ^ Float.floatToRawIntBits(yes)) & mask));
  }

  /** {@code a != 0 ? yes : no}. */
  static double unlessZero(double a, double yes, double no) {
    long shifted = Double.doubleToRawLongBits(a) << 1;
    return picked((shifted | -shifted) >> (Long.SIZE - 1), yes, no);
  }

  /** {@code a != 0 ? yes : no}. */
  static long unlessZero(long a, long yes, long no) {
    return no ^ ((no ^ yes) & ((a | -a) >> (Long.SIZE - 1)));
  }

  /** {@code a > 0 ? yes : no}. */
  static double ifPositive(double a, double yes, double no) {
    long bits = Double.doubleToRawLongBits(a);
    return picked(~(((bits - 1) | (INFINITY - bits)) >> (Long.SIZE - 1)), yes, no);
  }

  private static double picked(long mask, double yes, double no) {
    long other = Double.doubleToRawLongBits(no);
    return Double.longBitsToDouble(other ^ ((other ^ Double.doubleToRawLongBits(yes)) & mask));
  }
}
