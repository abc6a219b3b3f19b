package dev.staunch.kernel.scalar;

import dev.staunch.kernel.ComplexNumber;

/** Arithmetic and elementary functions of complex numbers; functions return principal values. */
public final class ComplexMath {
  private static final ComplexNumber ZERO = new ComplexNumber(0, 0);

  /** Below the logarithm of the greatest double. */
  private static final double LARGEST_EXPONENT = 700;

  /** From here on, the hyperbolic tangent of a real is 1. */
  private static final double MOST_IN_TANGENT = 22;

  /** Above this, the sum of two numbers, or their distance from 0, may overflow. */
  private static final double HUGE = 0x1p1021;

  /** Below this, the distance from 0 loses digits. */
  private static final double TINY = 0x1p-900;

  /** The squares of greater numbers may overflow. */
  private static final double SQUARES = 0x1p500;

  /** The squares of smaller numbers may be 0. */
  private static final double LEAST_SQUARE = 0x1p-500;

  private ComplexMath() {}

  /** The sum of the real and of the imaginary parts. */
  public static ComplexNumber add(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() + b.re(), a.im() + b.im());
  }

  static ComplexNumber subtract(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() - b.re(), a.im() - b.im());
  }

  /** The product. */
  public static ComplexNumber multiply(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() * b.re() - a.im() * b.im(), a.re() * b.im() + a.im() * b.re());
  }

  /** The quotient. */
  public static ComplexNumber divide(ComplexNumber a, ComplexNumber b) {
    double scale = Math.max(Math.abs(b.re()), Math.abs(b.im()));
    double re = b.re() / scale;
    double im = b.im() / scale;
    double square = (re * re + im * im) * scale;
    return new ComplexNumber(
        (a.re() * re + a.im() * im) / square, (a.im() * re - a.re() * im) / square);
  }

  /** The distance from 0, without intermediate overflow. */
  public static double abs(ComplexNumber a) {
    return Math.hypot(a.re(), a.im());
  }

  static double angle(ComplexNumber a) {
    return Math.atan2(a.im(), a.re());
  }

  /** The number with both signs changed. */
  public static ComplexNumber negate(ComplexNumber a) {
    return new ComplexNumber(-a.re(), -a.im());
  }

  static ComplexNumber polar(double abs, double angle) {
    return new ComplexNumber(abs * Math.cos(angle), abs * Math.sin(angle));
  }

  /** The exponential function. */
  public static ComplexNumber exp(ComplexNumber a) {
    if (a.im() == 0) {
      return new ComplexNumber(Math.exp(a.re()), a.im());
    }
    if (Double.isInfinite(a.re()) && !Double.isFinite(a.im())) {
      return a.re() < 0 ? ZERO : new ComplexNumber(a.re(), Double.NaN);
    }
    double half = Math.exp(a.re() / 2); // its square may overflow where the product does not
    return a.re() > LARGEST_EXPONENT && a.re() < 2 * LARGEST_EXPONENT
        ? new ComplexNumber(half * Math.cos(a.im()) * half, half * Math.sin(a.im()) * half)
        : polar(Math.exp(a.re()), a.im());
  }

  /** The natural logarithm. */
  public static ComplexNumber log(ComplexNumber a) {
    return new ComplexNumber(logOfAbs(a), angle(a));
  }

  private static double logOfAbs(ComplexNumber a) {
    double greater = Math.max(Math.abs(a.re()), Math.abs(a.im()));
    double lesser = Math.min(Math.abs(a.re()), Math.abs(a.im()));
    if (greater > 0.5 && greater < 2) {
      return 0.5 * Math.log1p((greater - 1) * (greater + 1) + lesser * lesser);
    }
    return greater > HUGE && greater < Double.POSITIVE_INFINITY
        ? Math.log(Math.hypot(greater / 4, lesser / 4)) + Math.log(4)
        : Math.log(abs(a));
  }

  /** The logarithm with base 2. */
  public static ComplexNumber log2(ComplexNumber a) {
    return divide(log(a), Math.log(2));
  }

  /** The logarithm with base 10. */
  public static ComplexNumber log10(ComplexNumber a) {
    return divide(log(a), Math.log(10));
  }

  /**
   * {@code a} to the power of {@code b}: the exponential of {@code b * log(a)}, as in C. Therefore
   * 0 to the power of a number without a real part is NaN.
   */
  public static ComplexNumber power(ComplexNumber a, ComplexNumber b) {
    if (a.re() == 0 && a.im() == 0) {
      return b.re() > 0
          ? ZERO
          : new ComplexNumber(b.re() < 0 ? Double.POSITIVE_INFINITY : Double.NaN, Double.NaN);
    }
    if (b.im() == 0) {
      ComplexNumber log = log(a);
      return exp(new ComplexNumber(b.re() * log.re(), b.re() * log.im()));
    }
    return exp(multiply(b, log(a)));
  }

  static ComplexNumber power(ComplexNumber a, double b) {
    if (a.im() == 0 && a.re() > 0) {
      return new ComplexNumber(ArithmeticOperations.power(a.re(), b), 0);
    }
    ComplexNumber log = log(a);
    return polar(Math.exp(b * log.re()), b * log.im());
  }

  static ComplexNumber power(double a, ComplexNumber b) {
    return a > 0
        ? polar(ArithmeticOperations.power(a, b.re()), b.im() * Math.log(a))
        : power(new ComplexNumber(a, 0), b);
  }

  static ComplexNumber divide(ComplexNumber a, double b) {
    return new ComplexNumber(a.re() / b, a.im() / b);
  }

  /** The square root whose real part is not negative. */
  public static ComplexNumber sqrt(ComplexNumber a) {
    if (a.re() == 0 && a.im() == 0) {
      return new ComplexNumber(0, a.im());
    }
    if (Double.isInfinite(a.im())) {
      return new ComplexNumber(Double.POSITIVE_INFINITY, a.im());
    }
    double size = Math.abs(a.re());
    double height = Math.abs(a.im());
    if (Double.isInfinite(size)) {
      double other = Double.isNaN(height) ? height : 0;
      return turned(a, size, other);
    }
    double scale = size > HUGE || height > HUGE ? 0x1p-2 : size + height < TINY ? 0x1p108 : 1;
    double half =
        Math.sqrt((size * scale + Math.hypot(size * scale, height * scale)) / 2) / Math.sqrt(scale);
    return turned(a, half, height / (2 * half));
  }

  /** The root of {@code a} whose greater part is {@code half} if {@code a} is not negative. */
  private static ComplexNumber turned(ComplexNumber a, double half, double other) {
    return a.re() < 0
        ? new ComplexNumber(other, Math.copySign(half, a.im()))
        : new ComplexNumber(half, Math.copySign(other, a.im()));
  }

  /** The sine. */
  public static ComplexNumber sin(ComplexNumber a) {
    return byMinusI(sinh(byI(a)));
  }

  /** The cosine. */
  public static ComplexNumber cos(ComplexNumber a) {
    return cosh(byI(a));
  }

  /** The tangent. */
  public static ComplexNumber tan(ComplexNumber a) {
    return byMinusI(tanh(byI(a)));
  }

  /** The hyperbolic sine. */
  public static ComplexNumber sinh(ComplexNumber a) {
    if (a.im() == 0) {
      return new ComplexNumber(Math.sinh(a.re()), a.im());
    }
    if (!Double.isFinite(a.im()) && (a.re() == 0 || Double.isInfinite(a.re()))) {
      return new ComplexNumber(a.re(), Double.NaN);
    }
    return hyperbolic(a, Math.sinh(a.re()), Math.cosh(a.re()));
  }

  /** The hyperbolic cosine. */
  public static ComplexNumber cosh(ComplexNumber a) {
    if (a.im() == 0) {
      double sign = Math.copySign(1, a.re());
      return new ComplexNumber(Math.cosh(a.re()), sign * a.im());
    }
    if (!Double.isFinite(a.im()) && a.re() == 0) {
      return new ComplexNumber(Double.NaN, 0);
    }
    if (!Double.isFinite(a.im()) && Double.isInfinite(a.re())) {
      return new ComplexNumber(Double.POSITIVE_INFINITY, Double.NaN);
    }
    return hyperbolic(a, Math.cosh(a.re()), Math.sinh(a.re()));
  }

  /** The parts {@code ofCosine} and {@code ofSine}, which may have overflowed, turned by a.im. */
  private static ComplexNumber hyperbolic(ComplexNumber a, double ofCosine, double ofSine) {
    double cos = Math.cos(a.im());
    double sin = Math.sin(a.im());
    double size = Math.abs(a.re());
    if (size > LARGEST_EXPONENT && size < 2 * LARGEST_EXPONENT) {
      double half = Math.exp(size / 2);
      return new ComplexNumber(
          Math.signum(ofCosine) * (half * cos / 2 * half),
          Math.signum(ofSine) * (half * sin / 2 * half));
    }
    return new ComplexNumber(ofCosine * cos, ofSine * sin);
  }

  /** The hyperbolic tangent. */
  public static ComplexNumber tanh(ComplexNumber a) {
    double size = Math.abs(a.re());
    if (a.im() == 0) {
      return new ComplexNumber(Math.tanh(a.re()), a.im());
    }
    double sin = Math.sin(a.im());
    double cos = Math.cos(a.im());
    if (size > MOST_IN_TANGENT && (Double.isInfinite(size) || Double.isFinite(a.im()))) {
      double im = Double.isFinite(a.im()) ? 4 * sin * cos * Math.exp(-2 * size) : 0;
      return new ComplexNumber(Math.copySign(1, a.re()), im);
    }
    if (a.re() == 0 && !Double.isFinite(a.im())) {
      return new ComplexNumber(a.re(), Double.NaN);
    }
    double sinh = Math.sinh(a.re());
    double divisor = sinh * sinh + cos * cos;
    return new ComplexNumber(sinh * Math.cosh(a.re()) / divisor, sin * cos / divisor);
  }

  private static ComplexNumber byI(ComplexNumber a) {
    return new ComplexNumber(-a.im(), a.re());
  }

  private static ComplexNumber byMinusI(ComplexNumber a) {
    return new ComplexNumber(a.im(), -a.re());
  }

  /** The inverse sine. */
  public static ComplexNumber asin(ComplexNumber a) {
    return byMinusI(asinh(byI(a)));
  }

  /** The inverse cosine. */
  public static ComplexNumber acos(ComplexNumber a) {
    ComplexNumber acosh = acosh(new ComplexNumber(a.re(), Math.abs(a.im())));
    return new ComplexNumber(acosh.im(), Math.copySign(1, a.im()) * -acosh.re());
  }

  /** The inverse tangent. */
  public static ComplexNumber atan(ComplexNumber a) {
    return byMinusI(atanh(byI(a)));
  }

  /** The inverse hyperbolic sine, by Kahan's formula, which stays accurate at branch points. */
  public static ComplexNumber asinh(ComplexNumber a) {
    double x = Math.abs(a.re());
    double y = Math.abs(a.im());
    if (isHuge(x, y)) {
      return signed(a, logOfAbs(a) + Math.log(2), Math.atan2(y, x));
    }
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return new ComplexNumber(Double.NaN, y == 0 ? a.im() : Double.NaN);
    }
    ComplexNumber below = sqrt(new ComplexNumber(1 + y, -x));
    ComplexNumber above = sqrt(new ComplexNumber(1 - y, x));
    double re = InverseHyperbolic.asinh(above.im() * below.re() - above.re() * below.im());
    return signed(a, re, Math.atan2(y, multiply(above, below).re()));
  }

  /** The inverse hyperbolic cosine whose real part is not negative. */
  public static ComplexNumber acosh(ComplexNumber a) {
    if (isHuge(a.re(), a.im())) {
      return new ComplexNumber(logOfAbs(a) + Math.log(2), angle(a));
    }
    if (Double.isNaN(a.im()) && a.re() == 0) {
      return new ComplexNumber(Double.NaN, Math.PI / 2);
    }
    ComplexNumber below = sqrt(new ComplexNumber(a.re() - 1, a.im()));
    ComplexNumber above = sqrt(new ComplexNumber(a.re() + 1, a.im()));
    double re = InverseHyperbolic.asinh(below.re() * above.re() + below.im() * above.im());
    return new ComplexNumber(re, 2 * Math.atan2(below.im(), above.re()));
  }

  /** The inverse hyperbolic tangent. */
  public static ComplexNumber atanh(ComplexNumber a) {
    double x = Math.abs(a.re());
    double y = Math.abs(a.im());
    boolean infinite = Double.isInfinite(x) || Double.isInfinite(y);
    if (infinite) {
      return signed(a, 0, Double.isNaN(y) ? y : Math.PI / 2);
    }
    if (isHuge(x, y)) {
      double greater = Math.max(x, y);
      double ratio = Math.min(x, y) / greater;
      double im = Double.isNaN(greater) ? greater : Math.PI / 2;
      return signed(a, x / greater / greater / (1 + ratio * ratio), im);
    }
    if (x == 1 && y > 0 && y < LEAST_SQUARE) {
      return signed(a, 0.5 * (Math.log(2) - Math.log(y)), Math.PI / 4);
    }
    double below = 1 - x;
    double re = x == 0 ? 0 : 0.25 * Math.log1p(4 * x / (below * below + y * y));
    return signed(a, re, 0.5 * Math.atan2(2 * y, below * (1 + x) - y * y));
  }

  /** Whether one is infinite, or so great that its square overflows. */
  private static boolean isHuge(double x, double y) {
    return Math.abs(x) > SQUARES || Math.abs(y) > SQUARES;
  }

  /** A number with the signs of {@code a}. */
  private static ComplexNumber signed(ComplexNumber a, double re, double im) {
    return new ComplexNumber(Math.copySign(re, a.re()), Math.copySign(im, a.im()));
  }
}
