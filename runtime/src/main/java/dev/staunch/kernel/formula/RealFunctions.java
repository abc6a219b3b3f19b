package dev.staunch.kernel.formula;

/** Real functions used in formulas; kernels with loops of their own use some of them, too. */
public final class RealFunctions {
  static final double LOG_2 = Math.log(2);
  static final double SELU_ALPHA = 1.6732632423543772;
  static final double SELU_SCALE = 1.0507009873554805;
  static final double GELU_SCALE = Math.sqrt(2 / Math.PI);

  private RealFunctions() {}

  /** The product of both as float32, rounded to float32. */
  static double floatProduct(double a, double b) {
    return (float) a * (float) b;
  }

  /** {@code 1 / (1 + exp(-a))}. */
  public static double sigmoid(double a) {
    return 1 / (1 + Math.exp(-a));
  }

  /** {@code log(1 + exp(a))}. */
  public static double softplus(double a) {
    return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
  }

  /** {@code a log b}, which is 0 where {@code a} is 0. */
  public static double timesLog(double a, double b) {
    return Double.isNaN(b) ? b : a == 0 ? 0 : a * Math.log(b);
  }

  /** {@code log(exp(a) + exp(b))}. */
  public static double logSum(double a, double b) {
    double most = Math.max(a, b);
    return Double.isInfinite(most) || Double.isNaN(most)
        ? most
        : most + Math.log1p(Math.exp(-Math.abs(a - b)));
  }

  static double logit(double a) {
    return Math.log(a / (1 - a));
  }

  static double truncate(double value) {
    return value < 0 ? Math.ceil(value) : Math.floor(value);
  }

  /** The remainder with the sign of the divisor, as in Python. */
  static double remainder(double a, double b) {
    double rest = a % b;
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
  }

  /**
   * The floor of the exact quotient, even where {@code a / b} would round up to the next integer.
   */
  static double floorQuotient(double a, double b) {
    if (b == 0) {
      return a / b;
    }
    double rest = a % b;
    double quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return Math.copySign(0, a / b);
    }
    double floor = Math.floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
  }

  /** As in C: 1 to any power is 1, and -1 to an infinite power is 1. */
  static double power(double base, double exponent) {
    boolean one = base == 1 || (base == -1 && Double.isInfinite(exponent));
    return one ? 1 : Math.pow(base, exponent);
  }

  static boolean isClose(double a, double b, double relative, double absolute, boolean nan) {
    if (a == b || (nan && Double.isNaN(a) && Double.isNaN(b))) {
      return true;
    }
    double away = Math.abs(a - b);
    return Double.isFinite(away) && away <= absolute + Math.abs(relative * b);
  }

  static double smoothL1(double away, double beta) {
    return away < beta ? 0.5 * away * away / beta : away - 0.5 * beta;
  }

  static double huber(double away, double delta) {
    return away <= delta ? 0.5 * away * away : delta * (away - 0.5 * delta);
  }

  static double poisson(double input, double target, boolean log, boolean full, double eps) {
    double loss = log ? Math.exp(input) - target * input : input - target * Math.log(input + eps);
    return full && target > 1 ? loss + stirling(target) : loss;
  }

  /** Stirling's approximation of the logarithm of a factorial. */
  private static double stirling(double target) {
    return target * Math.log(target) - target + 0.5 * Math.log(2 * Math.PI * target);
  }
}
