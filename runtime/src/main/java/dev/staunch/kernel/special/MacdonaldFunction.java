package dev.staunch.kernel.special;

/**
 * The modified Bessel functions of the second kind, K, with a relative error of a few units in the
 * last place.
 */
final class MacdonaldFunction {
  private static final double GAMMA = 0.5772156649015329;

  /** Up to this, power series; their terms do not cancel much. */
  private static final double NEAR = 1;

  /** Beyond this, the asymptotic series is exact to the last digit. */
  private static final double FAR = 30;

  /** The step of the trapezoidal rule, whose error falls exponentially with its inverse. */
  private static final double STEP = 1.0 / 16;

  private MacdonaldFunction() {}

  /** K of order 0 or 1. */
  static double plain(int n, double x) {
    return x > 0 && x <= NEAR ? series(n, x) : scaled(n, x) * Math.exp(-x);
  }

  /** K of order 0 or 1, times exp(x). */
  static double scaled(int n, double x) {
    if (!(x > 0)) {
      return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    }
    return x <= NEAR ? series(n, x) * Math.exp(x) : scaled((double) n, x);
  }

  /** K of any order up to 1, times exp(x), for x above 0.1. */
  static double scaled(double order, double x) {
    return x > FAR ? asymptotic(order, x) : integral(order, x);
  }

  /** DLMF 10.31.1 and 10.31.2. */
  private static double series(int n, double x) {
    double quarter = x * x / 4;
    double log = x < Double.MIN_NORMAL ? Math.log(x) - Math.log(2) : Math.log(x / 2);
    double term = n == 0 ? 1 : x / 2;
    double harmonic = n == 0 ? -GAMMA : 0.5 - GAMMA;
    double sum = 0;
    for (int k = 0; k < 40; k++) {
      sum += term * (n == 0 ? harmonic - log : log - harmonic);
      harmonic += n == 0 ? 1.0 / (k + 1) : 0.5 / (k + 1) + 0.5 / (k + 2);
      term *= quarter / ((k + 1.0) * (k + 1 + n));
    }
    return n == 0 ? sum : 1 / x + sum;
  }

  /** The integral of exp(-x (cosh t - 1)) cosh(order t) over all t above 0: DLMF 10.32.9. */
  private static double integral(double order, double x) {
    double sum = 0.5;
    for (int i = 1; ; i++) {
      double t = i * STEP;
      double half = Math.sinh(t / 2);
      double term = Math.exp(-2 * x * half * half) * Math.cosh(order * t);
      sum += term;
      if (term < 1e-18 * sum) {
        return sum * STEP;
      }
    }
  }

  /** DLMF 10.40.2. */
  private static double asymptotic(double order, double x) {
    double mu = 4 * order * order;
    double term = 1;
    double sum = 1;
    for (int k = 1; k < 60 && Math.abs(term) > 1e-18; k++) {
      double odd = 2.0 * k - 1;
      term *= (mu - odd * odd) / (8 * x * k);
      sum += term;
    }
    return sum * Math.sqrt(Math.PI / (2 * x));
  }
}
