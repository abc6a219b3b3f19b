package dev.staunch.eager.operators;

/**
 * Functions of one real variable, element by element.
 *
 * <p>The shape is kept. Floating dtypes are kept; integers and bools give float32, except that
 * rounding keeps integers as they are. Outside its domain a function gives NaN or infinity, never a
 * fault.
 */
public interface MathFunctions<T> extends Applicable<T> {

  /** {@code e} to the power of each element. */
  default T exp() {
    return apply("aten::exp", this);
  }

  /** 2 to the power of each element. */
  default T exp2() {
    return apply("aten::exp2", this);
  }

  /** {@code exp(x) - 1}, precise near 0. */
  default T expm1() {
    return apply("aten::expm1", this);
  }

  /** The natural logarithm. */
  default T log() {
    return apply("aten::log", this);
  }

  /** The logarithm to base 2. */
  default T log2() {
    return apply("aten::log2", this);
  }

  /** The logarithm to base 10. */
  default T log10() {
    return apply("aten::log10", this);
  }

  /** {@code log(1 + x)}, precise near 0. */
  default T log1p() {
    return apply("aten::log1p", this);
  }

  /** The square root. */
  default T sqrt() {
    return apply("aten::sqrt", this);
  }

  /** One over the square root. */
  default T rsqrt() {
    return apply("aten::rsqrt", this);
  }

  /** The sine of an angle in radians. */
  default T sin() {
    return apply("aten::sin", this);
  }

  /** The cosine of an angle in radians. */
  default T cos() {
    return apply("aten::cos", this);
  }

  /** The tangent of an angle in radians. */
  default T tan() {
    return apply("aten::tan", this);
  }

  /** The arcsine, in radians. */
  default T asin() {
    return apply("aten::asin", this);
  }

  /** The arccosine, in radians. */
  default T acos() {
    return apply("aten::acos", this);
  }

  /** The arctangent, in radians. */
  default T atan() {
    return apply("aten::atan", this);
  }

  /** The angle in radians of the point (other, this); shapes broadcast. */
  default T atan2(T other) {
    return apply("aten::atan2", this, other);
  }

  /** The hyperbolic sine. */
  default T sinh() {
    return apply("aten::sinh", this);
  }

  /** The hyperbolic cosine. */
  default T cosh() {
    return apply("aten::cosh", this);
  }

  /** The hyperbolic tangent. */
  default T tanh() {
    return apply("aten::tanh", this);
  }

  /** The error function. */
  default T erf() {
    return apply("aten::erf", this);
  }

  /** One minus the error function, precise for large elements. */
  default T erfc() {
    return apply("aten::erfc", this);
  }

  /** The greatest integer not above each element. */
  default T floor() {
    return apply("aten::floor", this);
  }

  /** The least integer not below each element. */
  default T ceil() {
    return apply("aten::ceil", this);
  }

  /** The nearest integer; ties go to the even one. */
  default T round() {
    return apply("aten::round", this);
  }

  /** The integer part. */
  default T trunc() {
    return apply("aten::trunc", this);
  }

  /** The part that {@link #trunc()} removes; a dtype fault for integers. */
  default T frac() {
    return apply("aten::frac", this);
  }
}
