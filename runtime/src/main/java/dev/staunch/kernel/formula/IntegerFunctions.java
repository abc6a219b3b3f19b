package dev.staunch.kernel.formula;

/** Integer functions used in formulas; results wrap around. */
final class IntegerFunctions {
  /** Eight bools, all true: a byte of 1 for each. */
  static final long ONES = 0x0101010101010101L;

  private IntegerFunctions() {}

  /** For a negative exponent, the result is rounded towards zero. */
  static long power(long base, long exponent) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    }
    long result = 1;
    long square = base;
    for (long left = exponent; left > 0; left >>= 1) {
      result *= (left & 1) == 1 ? square : 1;
      square *= square;
    }
    return result;
  }
}
