package dev.staunch.kernel.special;

/**
 * The Bessel functions J and Y of order 0 and 1. The error is a few units in the last place of the
 * function's amplitude, which is the greater of 1 and Y below 1 and sqrt(2 / (pi x)) above.
 */
final class CylinderFunctions {
  private static final double GAMMA = 0.5772156649015329;

  /** Below this, the first terms of the series are exact to the last digit. */
  private static final double NEAR = 1e-8;

  /** Beyond this, the asymptotic series is exact to the last digit. */
  private static final double FAR = 25;

  private CylinderFunctions() {}

  /** J of order {@code n}, 0 or 1. */
  static double first(int n, double x) {
    double size = Math.abs(x);
    if (!(size < Double.POSITIVE_INFINITY)) {
      return Double.NaN;
    }
    double value =
        size < NEAR ? (n == 0 ? 1 : size / 2) : size > FAR ? wave(n, size, 0) : near(n, size)[0];
    return n == 1 && Math.copySign(1, x) < 0 ? -value : value;
  }

  /** Y of order {@code n}, 0 or 1. */
  static double second(int n, double x) {
    if (!(x > 0 && x < Double.POSITIVE_INFINITY)) {
      return x == 0 ? Double.NEGATIVE_INFINITY : Double.NaN;
    }
    if (x < NEAR) {
      return n == 0 ? (Math.log(x / 2) + GAMMA) * 2 / Math.PI : -2 / Math.PI / x;
    }
    return x > FAR ? wave(n, x, 1) : near(n, x)[1];
  }

  /**
   * J and Y. Miller's backward recurrence finds J of all orders; Y is a Neumann series of those:
   * DLMF 3.6(v), 10.8.3 and its derivative.
   */
  private static double[] near(int n, double x) {
    int last = x < 1 ? 20 : 2 * (int) (20 + 0.6 * x);
    double after = 0;
    double own = 1e-300;
    double norm = 0;
    double series = 0;
    double zero = 0;
    double one = 0;
    for (int k = last; k >= 0; k--) {
      boolean even = k % 2 == 0;
      double sign = k % 4 < 2 ? 1 : -1;
      if (even) {
        norm += k == 0 ? own : 2 * own;
      }
      int half = k / 2;
      if (n == 0 && even && k > 0) {
        series += sign * own / half;
      } else if (n == 1 && !even && k > 1) {
        series += sign * own * k / (half * (half + 1));
      }
      if (k == 0) {
        zero = own;
        one = after;
      }
      double before = 2 * k / x * own - after;
      after = own;
      own = before;
    }
    zero /= norm;
    one /= norm;
    series /= norm;
    double log = Math.log(x / 2) + GAMMA;
    return n == 0
        ? new double[] {zero, (log * zero - 2 * series) * 2 / Math.PI}
        : new double[] {one, ((log - 1) * one - zero / x - series) * 2 / Math.PI};
  }

  /** Hankel's expansion: DLMF 10.17.3 and 10.17.4. */
  private static double wave(int n, double x, int kind) {
    double mu = 4.0 * n * n;
    double p = 0;
    double q = 0;
    double term = 1;
    for (int k = 0; k < 60 && Math.abs(term) > 1e-18; k++) {
      double sign = k % 4 < 2 ? 1 : -1;
      p += k % 2 == 0 ? sign * term : 0;
      q += k % 2 == 0 ? 0 : sign * term;
      double odd = 2.0 * k + 1;
      term *= (mu - odd * odd) / ((k + 1) * 8 * x);
    }
    double sine = Math.sin(x);
    double cosine = Math.cos(x);
    // of x - pi / 4 for order 0, and of x - 3 pi / 4 for order 1, times the root of 2
    double c = n == 0 ? cosine + sine : sine - cosine;
    double s = n == 0 ? sine - cosine : -(sine + cosine);
    double turned = kind == 0 ? c * p - s * q : s * p + c * q;
    return turned / Math.sqrt(Math.PI * x);
  }
}
