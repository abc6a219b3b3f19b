package dev.staunch.kernel.special;

import dev.staunch.kernel.CancellationPoll;
import java.util.Locale;

/**
 * Families of orthogonal polynomials, computed by their recurrences: DLMF 18.9. From degree {@link
 * #MANY} on, those of Chebyshev are computed by their trigonometric forms: DLMF 18.5(i).
 */
enum OrthogonalPolynomial {
  CHEBYSHEV_POLYNOMIAL_T,
  CHEBYSHEV_POLYNOMIAL_U,
  CHEBYSHEV_POLYNOMIAL_V,
  CHEBYSHEV_POLYNOMIAL_W,
  SHIFTED_CHEBYSHEV_POLYNOMIAL_T,
  SHIFTED_CHEBYSHEV_POLYNOMIAL_U,
  SHIFTED_CHEBYSHEV_POLYNOMIAL_V,
  SHIFTED_CHEBYSHEV_POLYNOMIAL_W,
  HERMITE_POLYNOMIAL_H,
  HERMITE_POLYNOMIAL_HE,
  LAGUERRE_POLYNOMIAL_L,
  LEGENDRE_POLYNOMIAL_P;

  private static final long MANY = 64;

  /** The name of the operation. */
  String operation() {
    return "special_" + name().toLowerCase(Locale.ROOT);
  }

  /**
   * The polynomial at {@code x}. A degree is rounded towards zero, and gives 0 if it is negative; a
   * degree that is no number gives NaN.
   */
  double at(double x, double degree, CancellationPoll poll) {
    if (!(Math.abs(degree) < 0x1p62)) {
      return Double.NaN;
    }
    long n = (long) degree;
    if (n <= 0) {
      return n < 0 ? 0 : 1;
    }
    double place = isShifted() ? x + x - 1 : x;
    if (isOfChebyshev() && n >= MANY) {
      return Double.isFinite(place) ? wave(place, n) : Double.NaN;
    }
    double before = 1;
    double value = first(place);
    for (long k = 1; k < n && poll.mayContinue(1); k++) {
      double next = next(place, k, value, before);
      before = value;
      value = next;
      if (Double.isNaN(value)) {
        break;
      }
    }
    return value;
  }

  private boolean isShifted() {
    return isOfChebyshev() && compareTo(SHIFTED_CHEBYSHEV_POLYNOMIAL_T) >= 0;
  }

  private boolean isOfChebyshev() {
    return compareTo(HERMITE_POLYNOMIAL_H) < 0;
  }

  private double first(double x) {
    return switch (this) {
      case CHEBYSHEV_POLYNOMIAL_T, SHIFTED_CHEBYSHEV_POLYNOMIAL_T -> x;
      case CHEBYSHEV_POLYNOMIAL_U, SHIFTED_CHEBYSHEV_POLYNOMIAL_U -> x + x;
      case CHEBYSHEV_POLYNOMIAL_V, SHIFTED_CHEBYSHEV_POLYNOMIAL_V -> x + x - 1;
      case CHEBYSHEV_POLYNOMIAL_W, SHIFTED_CHEBYSHEV_POLYNOMIAL_W -> x + x + 1;
      case HERMITE_POLYNOMIAL_H -> x + x;
      case HERMITE_POLYNOMIAL_HE, LEGENDRE_POLYNOMIAL_P -> x;
      case LAGUERRE_POLYNOMIAL_L -> 1 - x;
    };
  }

  /** The polynomial of degree {@code k + 1}, from those of degree {@code k} and {@code k - 1}. */
  private double next(double x, long k, double value, double before) {
    return switch (this) {
      case HERMITE_POLYNOMIAL_H -> 2 * x * value - 2.0 * k * before;
      case HERMITE_POLYNOMIAL_HE -> x * value - k * before;
      case LAGUERRE_POLYNOMIAL_L -> ((2.0 * k + 1 - x) * value - k * before) / (k + 1.0);
      case LEGENDRE_POLYNOMIAL_P -> ((2.0 * k + 1) * x * value - k * before) / (k + 1.0);
      case CHEBYSHEV_POLYNOMIAL_T,
          CHEBYSHEV_POLYNOMIAL_U,
          CHEBYSHEV_POLYNOMIAL_V,
          CHEBYSHEV_POLYNOMIAL_W,
          SHIFTED_CHEBYSHEV_POLYNOMIAL_T,
          SHIFTED_CHEBYSHEV_POLYNOMIAL_U,
          SHIFTED_CHEBYSHEV_POLYNOMIAL_V,
          SHIFTED_CHEBYSHEV_POLYNOMIAL_W ->
          2 * x * value - before;
    };
  }

  /** A polynomial of Chebyshev as a quotient of waves; beyond 1, of hyperbolic functions. */
  private double wave(double x, long n) {
    double size = Math.abs(x);
    double sign = x < 0 && n % 2 != 0 ? -1 : 1;
    double root = Math.sqrt(Math.abs((1 - size) * (1 + size)));
    boolean within = size < 1;
    double angle =
        within
            ? 2 * Math.atan2(Math.sqrt(1 - size), Math.sqrt(1 + size))
            : Math.log1p(size - 1 + root);
    double half = angle / 2;
    double more = (n + 0.5) * angle;
    return sign
        * switch (this) {
          case CHEBYSHEV_POLYNOMIAL_T, SHIFTED_CHEBYSHEV_POLYNOMIAL_T -> even(n * angle, within);
          case CHEBYSHEV_POLYNOMIAL_U, SHIFTED_CHEBYSHEV_POLYNOMIAL_U ->
              angle == 0 ? n + 1.0 : odd((n + 1.0) * angle, within) / odd(angle, within);
          case CHEBYSHEV_POLYNOMIAL_V, SHIFTED_CHEBYSHEV_POLYNOMIAL_V ->
              x > 0 ? third(more, half, within) : fourth(more, half, within, n);
          case CHEBYSHEV_POLYNOMIAL_W, SHIFTED_CHEBYSHEV_POLYNOMIAL_W ->
              x > 0 ? fourth(more, half, within, n) : third(more, half, within);
          case HERMITE_POLYNOMIAL_H,
              HERMITE_POLYNOMIAL_HE,
              LAGUERRE_POLYNOMIAL_L,
              LEGENDRE_POLYNOMIAL_P ->
              throw new IllegalStateException(name());
        };
  }

  private static double even(double angle, boolean within) {
    return within ? Math.cos(angle) : Math.cosh(angle);
  }

  private static double odd(double angle, boolean within) {
    return within ? Math.sin(angle) : Math.sinh(angle);
  }

  private static double third(double more, double half, boolean within) {
    return even(more, within) / even(half, within);
  }

  private static double fourth(double more, double half, boolean within, long n) {
    return half == 0 ? 2.0 * n + 1 : odd(more, within) / odd(half, within);
  }
}
