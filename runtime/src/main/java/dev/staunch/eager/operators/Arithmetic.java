package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.optional;

import org.jspecify.annotations.Nullable;

/**
 * Sums, products and powers, element by element.
 *
 * <p>Shapes broadcast as in NumPy; if they cannot, that is a shape fault. Dtypes promote as in
 * PyTorch: a scalar, or a tensor without dimensions, changes the dtype only if its kind (bool,
 * integer, real) is higher. So float32 with {@code 2.5} stays float32, and int64 with {@code 2.5}
 * becomes float32.
 */
public interface Arithmetic<T> extends Applicable<T> {

  /** {@code this + other}. */
  default T add(T other) {
    return apply("aten::add.Tensor", this, other, 1L);
  }

  /** {@code this + other}. */
  default T add(double other) {
    return apply("aten::add.Scalar", this, other, 1L);
  }

  /** {@code this + other}. */
  default T add(long other) {
    return apply("aten::add.Scalar", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for two bools. */
  default T sub(T other) {
    return apply("aten::sub.Tensor", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for bools. */
  default T sub(double other) {
    return apply("aten::sub.Scalar", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for bools. */
  default T sub(long other) {
    return apply("aten::sub.Scalar", this, other, 1L);
  }

  /** {@code other - this}. */
  default T rsub(double other) {
    return apply("aten::rsub.Scalar", this, other, 1L);
  }

  /** {@code other - this}. */
  default T rsub(long other) {
    return apply("aten::rsub.Scalar", this, other, 1L);
  }

  /** {@code this * other}. */
  default T mul(T other) {
    return apply("aten::mul.Tensor", this, other);
  }

  /** {@code this * other}. */
  default T mul(double other) {
    return apply("aten::mul.Scalar", this, other);
  }

  /** {@code this * other}. */
  default T mul(long other) {
    return apply("aten::mul.Scalar", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default T div(T other) {
    return apply("aten::div.Tensor", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default T div(double other) {
    return apply("aten::div.Scalar", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default T div(long other) {
    return apply("aten::div.Scalar", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default T floorDivide(T other) {
    return apply("aten::floor_divide", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default T floorDivide(double other) {
    return apply("aten::floor_divide.Scalar", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default T floorDivide(long other) {
    return apply("aten::floor_divide.Scalar", this, other);
  }

  /** The remainder of floor division; it has the sign of {@code other}. */
  default T remainder(T other) {
    return apply("aten::remainder.Tensor", this, other);
  }

  /** The remainder of floor division; it has the sign of {@code other}. */
  default T remainder(double other) {
    return apply("aten::remainder.Scalar", this, other);
  }

  /** The remainder of floor division; it has the sign of {@code other}. */
  default T remainder(long other) {
    return apply("aten::remainder.Scalar", this, other);
  }

  /** The remainder of truncating division; it has the sign of this. */
  default T fmod(T other) {
    return apply("aten::fmod.Tensor", this, other);
  }

  /** The remainder of truncating division; it has the sign of this. */
  default T fmod(double other) {
    return apply("aten::fmod.Scalar", this, other);
  }

  /** The remainder of truncating division; it has the sign of this. */
  default T fmod(long other) {
    return apply("aten::fmod.Scalar", this, other);
  }

  /** This to the power of {@code exponent}. */
  default T pow(T exponent) {
    return apply("aten::pow.Tensor_Tensor", this, exponent);
  }

  /** This to the power of {@code exponent}; a fault for integers with a negative exponent. */
  default T pow(double exponent) {
    return apply("aten::pow.Tensor_Scalar", this, exponent);
  }

  /** This to the power of {@code exponent}; a fault for integers with a negative exponent. */
  default T pow(long exponent) {
    return apply("aten::pow.Tensor_Scalar", this, exponent);
  }

  /** {@code -this}; a dtype fault for bools. */
  default T neg() {
    return apply("aten::neg", this);
  }

  /** The absolute value. */
  default T abs() {
    return apply("aten::abs", this);
  }

  /** -1, 0 or 1. */
  default T sign() {
    return apply("aten::sign", this);
  }

  /** {@code this * this}. */
  default T square() {
    return apply("aten::square", this);
  }

  /** {@code 1 / this}; integers give float32. */
  default T reciprocal() {
    return apply("aten::reciprocal", this);
  }

  /** The greater element of each pair; NaN wins. */
  default T maximum(T other) {
    return apply("aten::maximum", this, other);
  }

  /** The lesser element of each pair; NaN wins. */
  default T minimum(T other) {
    return apply("aten::minimum", this, other);
  }

  /** Limits the elements to the range from {@code min} to {@code max}. */
  default T clamp(double min, double max) {
    return apply("aten::clamp", this, min, max);
  }

  /** Limits the elements to the range from {@code min} to {@code max}. */
  default T clamp(long min, long max) {
    return apply("aten::clamp", this, min, max);
  }

  /**
   * Limits each element to its own range; shapes broadcast; null for no limit, but not for both.
   */
  default T clamp(@Nullable T min, @Nullable T max) {
    return apply("aten::clamp.Tensor", this, optional(min), optional(max));
  }

  /** Replaces elements below {@code min} by {@code min}. */
  default T clampMin(double min) {
    return apply("aten::clamp_min", this, min);
  }

  /** Replaces elements below {@code min} by {@code min}. */
  default T clampMin(long min) {
    return apply("aten::clamp_min", this, min);
  }

  /** Replaces elements above {@code max} by {@code max}. */
  default T clampMax(double max) {
    return apply("aten::clamp_max", this, max);
  }

  /** Replaces elements above {@code max} by {@code max}. */
  default T clampMax(long max) {
    return apply("aten::clamp_max", this, max);
  }

  /** {@code this + weight * (end - this)}; all of one floating dtype. */
  default T lerp(T end, T weight) {
    return apply("aten::lerp.Tensor", this, end, weight);
  }

  /** {@code this + weight * (end - this)}; both of one floating dtype. */
  default T lerp(T end, double weight) {
    return apply("aten::lerp.Scalar", this, end, weight);
  }

  /** {@code this + value * first * second}. */
  default T addcmul(T first, T second, double value) {
    return apply("aten::addcmul", this, first, second, value);
  }

  /** {@code this + value * first * second}. */
  default T addcmul(T first, T second, long value) {
    return apply("aten::addcmul", this, first, second, value);
  }

  /** {@code this + value * first / second}. */
  default T addcdiv(T first, T second, double value) {
    return apply("aten::addcdiv", this, first, second, value);
  }

  /** {@link #add(Tensor)}, as Kotlin writes {@code x + y}. */
  default T plus(T other) {
    return add(other);
  }

  /** {@link #add(double)}, as Kotlin writes {@code x + y}. */
  default T plus(double other) {
    return add(other);
  }

  /** {@link #add(long)}, as Kotlin writes {@code x + y}. */
  default T plus(long other) {
    return add(other);
  }

  /** {@link #sub(Tensor)}, as Kotlin writes {@code x - y}. */
  default T minus(T other) {
    return sub(other);
  }

  /** {@link #sub(double)}, as Kotlin writes {@code x - y}. */
  default T minus(double other) {
    return sub(other);
  }

  /** {@link #sub(long)}, as Kotlin writes {@code x - y}. */
  default T minus(long other) {
    return sub(other);
  }

  /** {@link #mul(Tensor)}, as Kotlin writes {@code x * y}. */
  default T times(T other) {
    return mul(other);
  }

  /** {@link #mul(double)}, as Kotlin writes {@code x * y}. */
  default T times(double other) {
    return mul(other);
  }

  /** {@link #mul(long)}, as Kotlin writes {@code x * y}. */
  default T times(long other) {
    return mul(other);
  }

  /** {@link #remainder(Tensor)}, as Kotlin writes {@code x % y}. */
  default T rem(T other) {
    return remainder(other);
  }

  /** {@link #remainder(double)}, as Kotlin writes {@code x % y}. */
  default T rem(double other) {
    return remainder(other);
  }

  /** {@link #remainder(long)}, as Kotlin writes {@code x % y}. */
  default T rem(long other) {
    return remainder(other);
  }

  /** {@link #neg()}, as Kotlin writes {@code -x}. */
  default T unaryMinus() {
    return neg();
  }
}
