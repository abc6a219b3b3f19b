package dev.staunch.kernel.special;

/**
 * The Airy function Ai. The error is a few units in the last place of the function's amplitude; far
 * from 0 it is that of the phase, 2/3 |x|^(3/2), rounded to a double.
 */
final class AiryFunction {
  /** Ai(0) = 3^(-2/3) / gamma(2/3), and Ai'(0) = -3^(-1/3) / gamma(1/3). */
  private static final double VALUE = 0.3550280538878172;

  private static final double SLOPE = -0.2588194037928068;

  /** Above this, Ai is a Bessel function; below its negative {@link #FAR}, a wave. */
  private static final double NEAR = 1;

  private static final double FAR = -9;

  private AiryFunction() {}

  static double of(double x) {
    if (Double.isInfinite(x) || Double.isNaN(x)) {
      return Double.NaN;
    }
    return x > NEAR ? decay(x) : x < FAR ? wave(-x) : stepped(x);
  }

  /** DLMF 9.6.2. */
  private static double decay(double x) {
    double phase = 2 * x * Math.sqrt(x) / 3;
    double scaled = MacdonaldFunction.scaled(1.0 / 3, phase);
    return Math.sqrt(x / 3) / Math.PI * scaled * Math.exp(-phase);
  }

  /** DLMF 9.7.9, for Ai(-x). */
  private static double wave(double x) {
    double phase = 2 * x * Math.sqrt(x) / 3;
    double even = 0;
    double odd = 0;
    double term = 1;
    for (int k = 0; k < 60 && Math.abs(term) > 1e-17; k++) {
      double sign = k % 4 < 2 ? 1 : -1;
      even += k % 2 == 0 ? sign * term : 0;
      odd += k % 2 == 0 ? 0 : sign * term;
      term *= (6.0 * k + 1) * (6.0 * k + 5) / (72.0 * (k + 1) * phase);
    }
    double sine = Math.sin(phase);
    double cosine = Math.cos(phase);
    double turned = (sine + cosine) * even - (cosine - sine) * odd;
    return turned / (Math.sqrt(2 * Math.PI) * Math.sqrt(Math.sqrt(x)));
  }

  /** Solves y'' = x y from 0 on, by Taylor series in steps of at most 1. */
  private static double stepped(double x) {
    int steps = Math.max(1, (int) Math.ceil(Math.abs(x)));
    double h = x / steps;
    double value = VALUE;
    double slope = SLOPE;
    for (int i = 0; i < steps; i++) {
      double at = i * h;
      double before = 0; // coefficients k - 1, k and k + 1, times the powers of h
      double own = value;
      double next = slope * h;
      double sum = own + next;
      double rise = next;
      for (int k = 0; k < 40; k++) {
        double after = h * h * (at * own + h * before) / ((k + 1.0) * (k + 2));
        sum += after;
        rise += (k + 2) * after;
        before = own;
        own = next;
        next = after;
      }
      value = sum;
      slope = h == 0 ? slope : rise / h;
    }
    return value;
  }
}
