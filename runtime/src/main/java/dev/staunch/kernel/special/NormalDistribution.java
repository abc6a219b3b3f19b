package dev.staunch.kernel.special;

import dev.staunch.kernel.scalar.ErrorFunction;

/**
 * The normal distribution function, its logarithm and its inverse; also the inverse error function.
 */
final class NormalDistribution {
  private static final double ROOT_2 = Math.sqrt(2);

  /** Coefficients of Acklam's first approximation of the inverse. */
  private static final double[] A = {
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
    1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00
  };

  private static final double[] B = {
    -5.447609879822406e+01,
    1.615858368580409e+02,
    -1.556989798598866e+02,
    6.680131188771972e+01,
    -1.328068155288572e+01,
    1
  };

  private static final double[] C = {
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00
  };

  private static final double[] D = {
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1
  };

  private NormalDistribution() {}

  static double below(double x) {
    return 0.5 * ErrorFunction.erfc(-x / ROOT_2);
  }

  static double logBelow(double x) {
    return x < -1
        ? Math.log(scaledErfc(-x / ROOT_2) / 2) - x * x / 2
        : Math.log1p(-ErrorFunction.erfc(x / ROOT_2) / 2);
  }

  /** erfc(x) times exp(x^2). */
  static double scaledErfc(double x) {
    if (x < 25) {
      return Math.exp(x * x) * ErrorFunction.erfc(x);
    }
    double square = 1 / (2 * x * x);
    double series = 1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)));
    return series / (x * Math.sqrt(Math.PI));
  }

  static double quantile(double p) {
    if (p <= 0 || p >= 1 || Double.isNaN(p)) {
      return p == 0 ? Double.NEGATIVE_INFINITY : p == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
    }
    if (p > 0.5) {
      return -quantile(1 - p);
    }
    double x;
    if (p < 0.02425) {
      double q = Math.sqrt(-2 * Math.log(p));
      x = value(C, q) / value(D, q);
    } else {
      double q = p - 0.5;
      x = value(A, q * q) * q / value(B, q * q);
    }
    for (int twice = 0; twice < 2; twice++) {
      if (p < Double.MIN_NORMAL) { // too small for a difference of values
        x -= (logBelow(x) - Math.log(p)) * Math.sqrt(Math.PI / 2) * scaledErfc(-x / ROOT_2);
        continue;
      }
      double error = below(x) - p;
      double step = error * Math.sqrt(2 * Math.PI) * Math.exp(x * x / 2);
      x -= step / (1 + x * step / 2);
    }
    return x;
  }

  private static double value(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }

  static double inverseErf(double y) {
    if (Math.abs(y) >= 1 || Double.isNaN(y)) {
      return Math.abs(y) == 1 ? Math.copySign(Double.POSITIVE_INFINITY, y) : Double.NaN;
    }
    double size = Math.abs(y);
    double x = -quantile((1 - size) / 2) / ROOT_2;
    if (size < 0.5) {
      // values close to zero have lost digits in the distribution
      for (int twice = 0; twice < 2; twice++) {
        x -= (ErrorFunction.erf(x) - size) * Math.sqrt(Math.PI) / 2 * Math.exp(x * x);
      }
    }
    return Math.copySign(x, y);
  }
}
