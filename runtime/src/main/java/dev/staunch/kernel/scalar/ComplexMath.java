package dev.staunch.kernel.scalar;

import dev.staunch.kernel.ComplexNumber;

/** Arithmetic and elementary functions of complex numbers; functions return principal values. */
public final class ComplexMath {
  private static final ComplexNumber ZERO = new ComplexNumber(0, 0);
  private static final ComplexNumber ONE = new ComplexNumber(1, 0);
  private static final ComplexNumber I = new ComplexNumber(0, 1);

  private ComplexMath() {}

  /** The sum of the real and of the imaginary parts. */
  public static ComplexNumber add(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() + b.re(), a.im() + b.im());
  }

  static ComplexNumber subtract(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() - b.re(), a.im() - b.im());
  }

  static ComplexNumber multiply(ComplexNumber a, ComplexNumber b) {
    return new ComplexNumber(a.re() * b.re() - a.im() * b.im(), a.re() * b.im() + a.im() * b.re());
  }

  static ComplexNumber divide(ComplexNumber a, ComplexNumber b) {
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

  static ComplexNumber negate(ComplexNumber a) {
    return new ComplexNumber(-a.re(), -a.im());
  }

  static ComplexNumber polar(double abs, double angle) {
    return new ComplexNumber(abs * Math.cos(angle), abs * Math.sin(angle));
  }

  static ComplexNumber exp(ComplexNumber a) {
    return a.im() == 0
        ? new ComplexNumber(Math.exp(a.re()), a.im())
        : polar(Math.exp(a.re()), a.im());
  }

  static ComplexNumber log(ComplexNumber a) {
    return new ComplexNumber(Math.log(abs(a)), angle(a));
  }

  static ComplexNumber log10(ComplexNumber a) {
    ComplexNumber log = log(a);
    return new ComplexNumber(log.re() / Math.log(10), log.im() / Math.log(10));
  }

  static ComplexNumber power(ComplexNumber a, ComplexNumber b) {
    if (a.re() == 0 && a.im() == 0) {
      return b.re() < 0
          ? new ComplexNumber(Double.POSITIVE_INFINITY, Double.NaN)
          : b.equals(ZERO) ? ONE : ZERO;
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

  static ComplexNumber sqrt(ComplexNumber a) {
    if (a.re() == 0 && a.im() == 0) {
      return new ComplexNumber(0, a.im());
    }
    if (Double.isInfinite(a.im())) {
      return new ComplexNumber(Double.POSITIVE_INFINITY, a.im());
    }
    double half = Math.sqrt((Math.abs(a.re()) + abs(a)) / 2);
    double other = Math.abs(a.im()) / (2 * half);
    return a.re() >= 0
        ? new ComplexNumber(half, Math.copySign(other, a.im()))
        : new ComplexNumber(other, Math.copySign(half, a.im()));
  }

  static ComplexNumber sin(ComplexNumber a) {
    return new ComplexNumber(
        Math.sin(a.re()) * Math.cosh(a.im()), Math.cos(a.re()) * Math.sinh(a.im()));
  }

  static ComplexNumber cos(ComplexNumber a) {
    return new ComplexNumber(
        Math.cos(a.re()) * Math.cosh(a.im()), -Math.sin(a.re()) * Math.sinh(a.im()));
  }

  static ComplexNumber tan(ComplexNumber a) {
    return divide(sin(a), cos(a));
  }

  static ComplexNumber sinh(ComplexNumber a) {
    return new ComplexNumber(
        Math.sinh(a.re()) * Math.cos(a.im()), Math.cosh(a.re()) * Math.sin(a.im()));
  }

  static ComplexNumber cosh(ComplexNumber a) {
    return new ComplexNumber(
        Math.cosh(a.re()) * Math.cos(a.im()), Math.sinh(a.re()) * Math.sin(a.im()));
  }

  static ComplexNumber tanh(ComplexNumber a) {
    return divide(sinh(a), cosh(a));
  }

  static ComplexNumber asin(ComplexNumber a) {
    ComplexNumber turned = asinh(multiply(I, a));
    return new ComplexNumber(turned.im(), -turned.re());
  }

  static ComplexNumber acos(ComplexNumber a) {
    ComplexNumber asin = asin(a);
    return new ComplexNumber(Math.PI / 2 - asin.re(), -asin.im());
  }

  static ComplexNumber atan(ComplexNumber a) {
    ComplexNumber turned = atanh(multiply(I, a));
    return new ComplexNumber(turned.im(), -turned.re());
  }

  /** Kahan's formula, which keeps its accuracy around the branch points. */
  static ComplexNumber asinh(ComplexNumber a) {
    ComplexNumber below = sqrt(new ComplexNumber(1 + a.im(), -a.re()));
    ComplexNumber above = sqrt(new ComplexNumber(1 - a.im(), a.re()));
    double re = InverseHyperbolic.asinh(above.re() * below.im() - above.im() * below.re());
    return new ComplexNumber(-re, Math.atan2(a.im(), multiply(above, below).re()));
  }

  static ComplexNumber acosh(ComplexNumber a) {
    ComplexNumber below = sqrt(subtract(a, ONE));
    ComplexNumber above = sqrt(add(a, ONE));
    double re = InverseHyperbolic.asinh(below.re() * above.re() + below.im() * above.im());
    return new ComplexNumber(re, 2 * Math.atan2(below.im(), above.re()));
  }

  static ComplexNumber atanh(ComplexNumber a) {
    double square = a.im() * a.im();
    double below = 1 - a.re();
    double above = 1 + a.re();
    double re = 0.25 * (Math.log(square + above * above) - Math.log(square + below * below));
    double im = 0.5 * Math.atan2(2 * a.im(), below * above - square);
    return new ComplexNumber(re, im);
  }
}
