package dev.staunch.kernel.special;

import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.kernel.scalar.GammaFunction;

/**
 * Derivatives of the logarithm of gamma, incomplete gamma functions, and the Hurwitz zeta function.
 */
final class GammaFamily {
  private static final double EPSILON = 1e-16;
  private static final int MOST = 20_000;

  /** Beyond this, a series takes too many terms. */
  private static final double LARGE = 1e7;

  /** (2k)! / B2k, for the remainder of zeta's sum. */
  private static final double[] ZETA = {
    12.0,
    -720.0,
    30240.0,
    -1209600.0,
    47900160.0,
    -1892437580.3183792,
    7.47242496e10,
    -2950130727918.164,
    116467828143500.67,
    -4597978722407473.0,
    1.8152105401943546E17,
    -7.166165256175667E18
  };

  private GammaFamily() {}

  static double digamma(double x) {
    if (x == 0) {
      return Math.copySign(Double.POSITIVE_INFINITY, -x);
    }
    if (x < 0) {
      return x == Math.floor(x)
          ? Double.NaN
          : digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.rint(x)));
    }
    double shifted = x;
    double result = 0;
    while (shifted < 12) {
      result -= 1 / shifted;
      shifted += 1;
    }
    double square = 1 / (shifted * shifted);
    double series =
        square
            * (1.0 / 12
                - square
                    * (1.0 / 120
                        - square
                            * (1.0 / 252
                                - square
                                    * (1.0 / 240
                                        - square * (1.0 / 132 - square * 691.0 / 32760)))));
    return result + Math.log(shifted) - 0.5 / shifted - series;
  }

  static double polygamma(long n, double x) {
    if (n == 0) {
      return digamma(x);
    }
    if (n == 1 && Double.isInfinite(x)) {
      return x > 0 ? 0 : Double.NaN;
    }
    double factorial = Math.exp(GammaFunction.logGamma(n + 1.0));
    return (n % 2 == 0 ? -1 : 1) * factorial * zeta(n + 1.0, x);
  }

  /** The sum over k of (q + k)^-x. */
  static double zeta(double x, double q) {
    if (x == 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < 1) {
      return Double.NaN;
    }
    if (q <= 0) {
      return q == Math.floor(q)
          ? Double.POSITIVE_INFINITY
          : x != Math.floor(x) ? Double.NaN : sum(x, q);
    }
    return sum(x, q);
  }

  /** As C has it: 1 to an infinite power is 1. */
  private static double power(double base, double exponent) {
    return base == 1 ? 1 : Math.pow(base, exponent);
  }

  private static double sum(double x, double q) {
    double sum = power(q, -x);
    double a = q;
    double b = 0;
    for (int i = 0; i < 9 || a <= 9; i++) {
      a += 1;
      b = power(a, -x);
      sum += b;
      if (Math.abs(b) < EPSILON * Math.abs(sum)) {
        return sum;
      }
    }
    sum += b * a / (x - 1) - 0.5 * b;
    double factor = 1;
    double k = 0;
    for (double divisor : ZETA) {
      factor *= x + k;
      b /= a;
      double term = factor * b / divisor;
      sum += term;
      if (Math.abs(term) < EPSILON * Math.abs(sum)) {
        return sum;
      }
      k += 1;
      factor *= x + k;
      b /= a;
      k += 1;
    }
    return sum;
  }

  static double logMultivariate(double x, long p) {
    double sum = p * (p - 1) / 4.0 * Math.log(Math.PI);
    for (long j = 0; j < p; j++) {
      sum += GammaFunction.logGamma(x - j / 2.0);
    }
    return sum;
  }

  /**
   * The lower regularised incomplete gamma function. As in libtorch, NaN does not count where the
   * other operand alone decides the limit.
   */
  static double lower(double a, double x) {
    if (a < 0 || x < 0) {
      return Double.NaN;
    }
    if (a == 0) {
      return x > 0 ? 1 : Double.NaN;
    }
    if (x == 0 || Double.isInfinite(a)) {
      return Double.isInfinite(a) && Double.isInfinite(x) ? Double.NaN : 0;
    }
    if (Double.isInfinite(x)) {
      return 1;
    }
    if (Double.isNaN(a) || Double.isNaN(x)) {
      return Double.NaN;
    }
    if (a > LARGE) {
      return 1 - nearNormal(a, x);
    }
    return x > 1 && x > a ? 1 - fraction(a, x) : series(a, x);
  }

  /** The upper regularised incomplete gamma function. */
  static double upper(double a, double x) {
    double lower = lower(a, x);
    boolean far = x > 1 && x > a && a > 0 && Double.isFinite(x);
    if (a > LARGE && far) {
      return nearNormal(a, x);
    }
    return far ? fraction(a, x) : 1 - lower;
  }

  /** The Wilson-Hilferty approximation: the cube root of a gamma variable is nearly normal. */
  private static double nearNormal(double a, double x) {
    double away = 3 * Math.sqrt(a) * (Math.cbrt(x / a) - 1 + 1 / (9 * a));
    return ErrorFunction.erfc(away / Math.sqrt(2)) / 2;
  }

  private static double front(double a, double x) {
    return Math.exp(a * Math.log(x) - x - GammaFunction.logGamma(a));
  }

  private static double series(double a, double x) {
    double term = 1;
    double sum = 1;
    for (int k = 1; k < MOST && term > EPSILON * sum; k++) {
      term *= x / (a + k);
      sum += term;
    }
    return sum * front(a, x) / a;
  }

  private static double fraction(double a, double x) {
    double b = x + 1 - a;
    double c = 1 / Double.MIN_NORMAL;
    double d = 1 / b;
    double h = d;
    for (int i = 1; i < MOST; i++) {
      double an = -i * (i - a);
      b += 2;
      d = an * d + b;
      d = 1 / (Math.abs(d) < Double.MIN_NORMAL ? Double.MIN_NORMAL : d);
      c = b + an / c;
      c = Math.abs(c) < Double.MIN_NORMAL ? Double.MIN_NORMAL : c;
      h *= d * c;
      if (Math.abs(d * c - 1) < EPSILON) {
        break;
      }
    }
    return front(a, x) * h;
  }
}
