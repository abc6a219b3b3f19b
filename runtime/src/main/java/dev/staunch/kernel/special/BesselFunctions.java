package dev.staunch.kernel.special;

/** The modified Bessel functions of the first kind, of order 0 and 1, times exp(-|x|). */
final class BesselFunctions {
  /** Beyond this, the asymptotic series is exact to the last digit. */
  private static final double FAR = 40;

  private BesselFunctions() {}

  /** The function of order {@code n}, 0 or 1. */
  static double scaled(int n, double x) {
    double size = Math.abs(x);
    double value = size > FAR ? asymptotic(n, size) : series(n, size) * Math.exp(-size);
    return n == 1 && x < 0 ? -value : value;
  }

  static double plain(int n, double x) {
    double size = Math.abs(x);
    double half = Math.exp(size / 2);
    double value =
        half == Double.POSITIVE_INFINITY
            ? (Double.isInfinite(x) ? Double.NaN : half)
            : size > FAR ? asymptotic(n, size) * half * half : series(n, size);
    return n == 1 && x < 0 ? -value : value;
  }

  private static double series(int n, double x) {
    double quarter = x * x / 4;
    double term = n == 0 ? 1 : x / 2;
    double sum = term;
    for (int k = 1; k < 500 && term > 1e-18 * sum; k++) {
      term *= quarter / ((double) k * (k + n));
      sum += term;
    }
    return sum;
  }

  private static double asymptotic(int n, double x) {
    double mu = 4.0 * n * n;
    double term = 1;
    double sum = 1;
    for (int k = 1; k < 60 && Math.abs(term) > 1e-18; k++) {
      double odd = 2.0 * k - 1;
      term *= -(mu - odd * odd) / (k * 8 * x);
      sum += term;
    }
    double square = 2 * Math.PI * x;
    return Double.isInfinite(square)
        ? sum / Math.sqrt(2 * Math.PI) / Math.sqrt(x)
        : sum / Math.sqrt(square);
  }
}
