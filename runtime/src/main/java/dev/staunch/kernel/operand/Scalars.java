package dev.staunch.kernel.operand;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;

/**
 * Reads run-time scalars ({@code Long}, {@code Double}, {@code Boolean}, {@link ComplexNumber}).
 */
public final class Scalars {
  private Scalars() {}

  /** Whether it is complex, so that real numbers cannot hold it. */
  public static boolean isComplex(Object value) {
    return value instanceof ComplexNumber;
  }

  /** Whether it is an int or a bool. */
  public static boolean isIntegral(Object value) {
    return value instanceof Long || value instanceof Boolean;
  }

  /** An int or bool as a long; a float truncated. */
  public static long integer(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Number number -> number.longValue();
      case ComplexNumber complex -> (long) complex.re();
      default -> throw notScalar(value);
    };
  }

  /**
   * As {@link #integer(Object)}, for an element of {@code dtype}: as a bool, any number but 0 is
   * true.
   */
  public static long integer(Object value, DType dtype) {
    return dtype == DType.BOOL ? (real(value) == 0 ? 0 : 1) : integer(value);
  }

  /** A bool as 0 or 1; the real part of a complex number. */
  public static double real(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Number number -> number.doubleValue();
      case ComplexNumber complex -> complex.re();
      default -> throw notScalar(value);
    };
  }

  /** As {@link #real(Object)}, rounded as a cast to the floating {@code dtype} does. */
  public static double real(Object value, DType dtype) {
    boolean single = value instanceof Long && dtype != DType.FLOAT64;
    return Elements.rounded(dtype, single ? (float) integer(value) : real(value));
  }

  /** A real number with an imaginary part of 0. */
  public static ComplexNumber complex(Object value) {
    return value instanceof ComplexNumber complex ? complex : new ComplexNumber(real(value), 0);
  }

  private static IllegalArgumentException notScalar(Object value) {
    return new IllegalArgumentException(value.getClass().getSimpleName() + " is no scalar");
  }
}
