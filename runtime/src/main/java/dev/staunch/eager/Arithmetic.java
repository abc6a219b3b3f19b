package dev.staunch.eager;

/**
 * Sums, products and powers, element by element.
 *
 * <p>Shapes broadcast as in NumPy; shapes that do not are a shape fault. Dtypes promote as in
 * PyTorch: a scalar, or a tensor without dimensions, changes the dtype only if its kind (bool,
 * integer, real) is higher, so that float32 with {@code 2.5} stays float32 and int64 with {@code
 * 2.5} becomes float32.
 */
public sealed interface Arithmetic extends Applicable permits Tensor {

  /** {@code this + other}. */
  default Tensor add(Tensor other) {
    return apply("aten::add.Tensor", this, other, 1L);
  }

  /** {@code this + other}. */
  default Tensor add(double other) {
    return apply("aten::add.Scalar", this, other, 1L);
  }

  /** {@code this + other}. */
  default Tensor add(long other) {
    return apply("aten::add.Scalar", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for two bools. */
  default Tensor sub(Tensor other) {
    return apply("aten::sub.Tensor", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for bools. */
  default Tensor sub(double other) {
    return apply("aten::sub.Scalar", this, other, 1L);
  }

  /** {@code this - other}; a dtype fault for bools. */
  default Tensor sub(long other) {
    return apply("aten::sub.Scalar", this, other, 1L);
  }

  /** {@code other - this}. */
  default Tensor rsub(double other) {
    return apply("aten::rsub.Scalar", this, other, 1L);
  }

  /** {@code other - this}. */
  default Tensor rsub(long other) {
    return apply("aten::rsub.Scalar", this, other, 1L);
  }

  /** {@code this * other}. */
  default Tensor mul(Tensor other) {
    return apply("aten::mul.Tensor", this, other);
  }

  /** {@code this * other}. */
  default Tensor mul(double other) {
    return apply("aten::mul.Scalar", this, other);
  }

  /** {@code this * other}. */
  default Tensor mul(long other) {
    return apply("aten::mul.Scalar", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default Tensor div(Tensor other) {
    return apply("aten::div.Tensor", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default Tensor div(double other) {
    return apply("aten::div.Scalar", this, other);
  }

  /** {@code this / other}; integers give float32. */
  default Tensor div(long other) {
    return apply("aten::div.Scalar", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default Tensor floorDivide(Tensor other) {
    return apply("aten::floor_divide", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default Tensor floorDivide(double other) {
    return apply("aten::floor_divide.Scalar", this, other);
  }

  /** The quotient rounded down; a fault for an integer divided by 0. */
  default Tensor floorDivide(long other) {
    return apply("aten::floor_divide.Scalar", this, other);
  }

  /** What floor division leaves; it has the sign of {@code other}. */
  default Tensor remainder(Tensor other) {
    return apply("aten::remainder.Tensor", this, other);
  }

  /** What floor division leaves; it has the sign of {@code other}. */
  default Tensor remainder(double other) {
    return apply("aten::remainder.Scalar", this, other);
  }

  /** What floor division leaves; it has the sign of {@code other}. */
  default Tensor remainder(long other) {
    return apply("aten::remainder.Scalar", this, other);
  }

  /** What truncating division leaves; it has the sign of this. */
  default Tensor fmod(Tensor other) {
    return apply("aten::fmod.Tensor", this, other);
  }

  /** What truncating division leaves; it has the sign of this. */
  default Tensor fmod(double other) {
    return apply("aten::fmod.Scalar", this, other);
  }

  /** What truncating division leaves; it has the sign of this. */
  default Tensor fmod(long other) {
    return apply("aten::fmod.Scalar", this, other);
  }

  /** This to the power of {@code exponent}. */
  default Tensor pow(Tensor exponent) {
    return apply("aten::pow.Tensor_Tensor", this, exponent);
  }

  /** This to the power of {@code exponent}; a fault for integers to a negative one. */
  default Tensor pow(double exponent) {
    return apply("aten::pow.Tensor_Scalar", this, exponent);
  }

  /** This to the power of {@code exponent}; a fault for integers to a negative one. */
  default Tensor pow(long exponent) {
    return apply("aten::pow.Tensor_Scalar", this, exponent);
  }

  /** {@code -this}; a dtype fault for bools. */
  default Tensor neg() {
    return apply("aten::neg", this);
  }

  /** The distance from 0. */
  default Tensor abs() {
    return apply("aten::abs", this);
  }

  /** -1, 0 or 1. */
  default Tensor sign() {
    return apply("aten::sign", this);
  }

  /** {@code this * this}. */
  default Tensor square() {
    return apply("aten::square", this);
  }

  /** {@code 1 / this}; integers give float32. */
  default Tensor reciprocal() {
    return apply("aten::reciprocal", this);
  }

  /** The greater of each two elements; NaN wins. */
  default Tensor maximum(Tensor other) {
    return apply("aten::maximum", this, other);
  }

  /** The lesser of each two elements; NaN wins. */
  default Tensor minimum(Tensor other) {
    return apply("aten::minimum", this, other);
  }

  /** Elements below {@code min} or above {@code max} become it. */
  default Tensor clamp(double min, double max) {
    return apply("aten::clamp", this, min, max);
  }

  /** Elements below {@code min} or above {@code max} become it. */
  default Tensor clamp(long min, long max) {
    return apply("aten::clamp", this, min, max);
  }

  /** Elements below {@code min} become it. */
  default Tensor clampMin(double min) {
    return apply("aten::clamp_min", this, min);
  }

  /** Elements below {@code min} become it. */
  default Tensor clampMin(long min) {
    return apply("aten::clamp_min", this, min);
  }

  /** Elements above {@code max} become it. */
  default Tensor clampMax(double max) {
    return apply("aten::clamp_max", this, max);
  }

  /** Elements above {@code max} become it. */
  default Tensor clampMax(long max) {
    return apply("aten::clamp_max", this, max);
  }

  /** {@code this + weight * (end - this)}; floating dtypes, all the same. */
  default Tensor lerp(Tensor end, Tensor weight) {
    return apply("aten::lerp.Tensor", this, end, weight);
  }

  /** {@code this + weight * (end - this)}; floating dtypes, all the same. */
  default Tensor lerp(Tensor end, double weight) {
    return apply("aten::lerp.Scalar", this, end, weight);
  }

  /** {@code this + value * first * second}. */
  default Tensor addcmul(Tensor first, Tensor second, double value) {
    return apply("aten::addcmul", this, first, second, value);
  }

  /** {@code this + value * first * second}. */
  default Tensor addcmul(Tensor first, Tensor second, long value) {
    return apply("aten::addcmul", this, first, second, value);
  }

  /** {@code this + value * first / second}. */
  default Tensor addcdiv(Tensor first, Tensor second, double value) {
    return apply("aten::addcdiv", this, first, second, value);
  }

  /** {@link #add(Tensor)}, as Kotlin writes {@code x + y}. */
  default Tensor plus(Tensor other) {
    return add(other);
  }

  /** {@link #add(double)}, as Kotlin writes {@code x + y}. */
  default Tensor plus(double other) {
    return add(other);
  }

  /** {@link #add(long)}, as Kotlin writes {@code x + y}. */
  default Tensor plus(long other) {
    return add(other);
  }

  /** {@link #sub(Tensor)}, as Kotlin writes {@code x - y}. */
  default Tensor minus(Tensor other) {
    return sub(other);
  }

  /** {@link #sub(double)}, as Kotlin writes {@code x - y}. */
  default Tensor minus(double other) {
    return sub(other);
  }

  /** {@link #sub(long)}, as Kotlin writes {@code x - y}. */
  default Tensor minus(long other) {
    return sub(other);
  }

  /** {@link #mul(Tensor)}, as Kotlin writes {@code x * y}. */
  default Tensor times(Tensor other) {
    return mul(other);
  }

  /** {@link #mul(double)}, as Kotlin writes {@code x * y}. */
  default Tensor times(double other) {
    return mul(other);
  }

  /** {@link #mul(long)}, as Kotlin writes {@code x * y}. */
  default Tensor times(long other) {
    return mul(other);
  }

  /** {@link #remainder(Tensor)}, as Kotlin writes {@code x % y}. */
  default Tensor rem(Tensor other) {
    return remainder(other);
  }

  /** {@link #remainder(double)}, as Kotlin writes {@code x % y}. */
  default Tensor rem(double other) {
    return remainder(other);
  }

  /** {@link #remainder(long)}, as Kotlin writes {@code x % y}. */
  default Tensor rem(long other) {
    return remainder(other);
  }

  /** {@link #neg()}, as Kotlin writes {@code -x}. */
  default Tensor unaryMinus() {
    return neg();
  }
}
