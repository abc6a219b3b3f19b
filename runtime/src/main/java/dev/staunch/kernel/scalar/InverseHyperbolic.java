package dev.staunch.kernel.scalar;

/** Inverse hyperbolic functions, which {@link Math} lacks. */
public final class InverseHyperbolic {
  private static final double LN2 = 0.6931471805599453;

  private InverseHyperbolic() {}

  /** Defined for all {@code x}; keeps infinities, NaN and the sign of 0. */
  public static double asinh(double x) {
    double size = Math.abs(x);
    if (Double.isInfinite(x) || Double.isNaN(x) || x == 0) {
      return x;
    }
    if (size > 0x1p28) {
      return Math.copySign(Math.log(size) + LN2, x);
    }
    double square = size * size;
    return Math.copySign(Math.log1p(size + square / (1 + Math.sqrt(1 + square))), x);
  }

  /** Defined for {@code x} from 1 on; NaN below. */
  public static double acosh(double x) {
    if (x > 0x1p28) {
      return Math.log(x) + LN2;
    }
    if (x < 1) {
      return Double.NaN;
    }
    double above = x - 1;
    return Math.log1p(above + Math.sqrt(2 * above + above * above));
  }

  /** Defined for {@code x} from -1 to 1, where the ends give infinities; NaN outside. */
  public static double atanh(double x) {
    double size = Math.abs(x);
    return x == 0 ? x : Math.copySign(0.5 * Math.log1p(2 * size / (1 - size)), x);
  }
}
