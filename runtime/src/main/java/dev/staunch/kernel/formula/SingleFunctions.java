package dev.staunch.kernel.formula;

/**
 * Faster float32 versions of functions of reals, with the same bits as the function of that name
 * rounded once. If a quotient has few digits, its product with the divisor is exact as a double,
 * and so is the remainder.
 */
final class SingleFunctions {
  /** A quotient below this has at most 29 bits, a float 24: their product fits a double. */
  private static final double FEW = 1 << 29;

  /** Beyond this, floats are whole numbers; half of it below, an addition of it rounds to them. */
  private static final float WHOLE = 1.5f * (1 << 23);

  private SingleFunctions() {}

  /** {@code Math.rint(a)} for numbers up to 2^22. */
  static float wholeNumber(float a) {
    return a + WHOLE - WHOLE;
  }

  /**
   * Whether a double holds the quotient of two floats exactly enough to tell between which integers
   * it is: unless it is an integer, it is at least 2^-24 away from one.
   */
  private static boolean isPlain(double quotient, float divisor) {
    return Math.abs(quotient) < FEW && Math.abs(divisor) <= Float.MAX_VALUE;
  }

  /** {@code a % b}. */
  static float fmod(float a, float b) {
    double quotient = (double) a / b;
    return isPlain(quotient, b)
        ? Math.copySign((float) (a - (double) (int) quotient * b), a)
        : a % b;
  }

  static float remainder(float a, float b) {
    double quotient = (double) a / b;
    if (!isPlain(quotient, b)) {
      return (float) RealFunctions.remainder(a, b);
    }
    float rest = (float) (a - Math.floor(quotient) * b);
    return Picks.unlessZero(rest, rest, Math.copySign(0f, a));
  }

  static float floorQuotient(float a, float b) {
    double quotient = (double) a / b;
    return isPlain(quotient, b)
        ? (float) Math.floor(quotient)
        : (float) RealFunctions.floorQuotient(a, b);
  }

  /** {@code Math.hypot(a, b)}: squares of floats are exact, and neither too large nor too small. */
  static float hypot(float a, float b) {
    double length = Math.sqrt((double) a * a + (double) b * b);
    boolean infinite = Float.isInfinite(a) || Float.isInfinite(b);
    return infinite ? Float.POSITIVE_INFINITY : (float) length;
  }
}
