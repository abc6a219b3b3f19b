package dev.staunch.eager;

/**
 * Functions of one real variable, element by element.
 *
 * <p>The shape stays. Floating dtypes stay; integers and bools give float32, except that rounding
 * keeps integers as they are. Outside its domain a function is NaN or infinite, never a fault.
 */
public sealed interface MathFunctions extends Applicable permits Tensor {

  /** {@code e} to the power of each element. */
  default Tensor exp() {
    return apply("aten::exp", this);
  }

  /** 2 to the power of each element. */
  default Tensor exp2() {
    return apply("aten::exp2", this);
  }

  /** {@code exp(x) - 1}, precise near 0. */
  default Tensor expm1() {
    return apply("aten::expm1", this);
  }

  /** The natural logarithm. */
  default Tensor log() {
    return apply("aten::log", this);
  }

  /** The logarithm to base 2. */
  default Tensor log2() {
    return apply("aten::log2", this);
  }

  /** The logarithm to base 10. */
  default Tensor log10() {
    return apply("aten::log10", this);
  }

  /** {@code log(1 + x)}, precise near 0. */
  default Tensor log1p() {
    return apply("aten::log1p", this);
  }

  /** The square root. */
  default Tensor sqrt() {
    return apply("aten::sqrt", this);
  }

  /** One over the square root. */
  default Tensor rsqrt() {
    return apply("aten::rsqrt", this);
  }

  /** The sine of an angle in radians. */
  default Tensor sin() {
    return apply("aten::sin", this);
  }

  /** The cosine of an angle in radians. */
  default Tensor cos() {
    return apply("aten::cos", this);
  }

  /** The tangent of an angle in radians. */
  default Tensor tan() {
    return apply("aten::tan", this);
  }

  /** The angle in radians with this sine. */
  default Tensor asin() {
    return apply("aten::asin", this);
  }

  /** The angle in radians with this cosine. */
  default Tensor acos() {
    return apply("aten::acos", this);
  }

  /** The angle in radians with this tangent. */
  default Tensor atan() {
    return apply("aten::atan", this);
  }

  /** The angle in radians of the point (other, this); shapes broadcast. */
  default Tensor atan2(Tensor other) {
    return apply("aten::atan2", this, other);
  }

  /** The hyperbolic sine. */
  default Tensor sinh() {
    return apply("aten::sinh", this);
  }

  /** The hyperbolic cosine. */
  default Tensor cosh() {
    return apply("aten::cosh", this);
  }

  /** The hyperbolic tangent. */
  default Tensor tanh() {
    return apply("aten::tanh", this);
  }

  /** The error function. */
  default Tensor erf() {
    return apply("aten::erf", this);
  }

  /** One minus the error function, precise for large elements. */
  default Tensor erfc() {
    return apply("aten::erfc", this);
  }

  /** The next integer below. */
  default Tensor floor() {
    return apply("aten::floor", this);
  }

  /** The next integer above. */
  default Tensor ceil() {
    return apply("aten::ceil", this);
  }

  /** The nearest integer; halves go to the even one. */
  default Tensor round() {
    return apply("aten::round", this);
  }

  /** The integer part. */
  default Tensor trunc() {
    return apply("aten::trunc", this);
  }

  /** What {@link #trunc()} takes away; a dtype fault for integers. */
  default Tensor frac() {
    return apply("aten::frac", this);
  }
}
