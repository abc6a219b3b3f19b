package dev.staunch.eager;

/**
 * Comparisons and logic, element by element; the result is bool.
 *
 * <p>Shapes broadcast; shapes that do not are a shape fault. Dtypes promote before comparing. NaN
 * equals nothing.
 */
public sealed interface Comparisons extends Applicable permits Tensor {

  /** {@code this == other}. */
  default Tensor eq(Tensor other) {
    return apply("aten::eq.Tensor", this, other);
  }

  /** {@code this == other}. */
  default Tensor eq(double other) {
    return apply("aten::eq.Scalar", this, other);
  }

  /** {@code this == other}. */
  default Tensor eq(long other) {
    return apply("aten::eq.Scalar", this, other);
  }

  /** {@code this != other}. */
  default Tensor ne(Tensor other) {
    return apply("aten::ne.Tensor", this, other);
  }

  /** {@code this != other}. */
  default Tensor ne(double other) {
    return apply("aten::ne.Scalar", this, other);
  }

  /** {@code this != other}. */
  default Tensor ne(long other) {
    return apply("aten::ne.Scalar", this, other);
  }

  /** {@code this < other}. */
  default Tensor lt(Tensor other) {
    return apply("aten::lt.Tensor", this, other);
  }

  /** {@code this < other}. */
  default Tensor lt(double other) {
    return apply("aten::lt.Scalar", this, other);
  }

  /** {@code this < other}. */
  default Tensor lt(long other) {
    return apply("aten::lt.Scalar", this, other);
  }

  /** {@code this <= other}. */
  default Tensor le(Tensor other) {
    return apply("aten::le.Tensor", this, other);
  }

  /** {@code this <= other}. */
  default Tensor le(double other) {
    return apply("aten::le.Scalar", this, other);
  }

  /** {@code this <= other}. */
  default Tensor le(long other) {
    return apply("aten::le.Scalar", this, other);
  }

  /** {@code this > other}. */
  default Tensor gt(Tensor other) {
    return apply("aten::gt.Tensor", this, other);
  }

  /** {@code this > other}. */
  default Tensor gt(double other) {
    return apply("aten::gt.Scalar", this, other);
  }

  /** {@code this > other}. */
  default Tensor gt(long other) {
    return apply("aten::gt.Scalar", this, other);
  }

  /** {@code this >= other}. */
  default Tensor ge(Tensor other) {
    return apply("aten::ge.Tensor", this, other);
  }

  /** {@code this >= other}. */
  default Tensor ge(double other) {
    return apply("aten::ge.Scalar", this, other);
  }

  /** {@code this >= other}. */
  default Tensor ge(long other) {
    return apply("aten::ge.Scalar", this, other);
  }

  /** Whether an element is not a number. */
  default Tensor isNan() {
    return apply("aten::isnan", this);
  }

  /** Whether an element is infinite. */
  default Tensor isInf() {
    return apply("aten::isinf", this);
  }

  /** Whether an element is neither NaN nor infinite. */
  default Tensor isFinite() {
    return apply("aten::isfinite", this);
  }

  /** Whether both elements are not 0. */
  default Tensor logicalAnd(Tensor other) {
    return apply("aten::logical_and", this, other);
  }

  /** Whether an element is not 0. */
  default Tensor logicalOr(Tensor other) {
    return apply("aten::logical_or", this, other);
  }

  /** Whether exactly one element is not 0. */
  default Tensor logicalXor(Tensor other) {
    return apply("aten::logical_xor", this, other);
  }

  /** Whether the element is 0. */
  default Tensor logicalNot() {
    return apply("aten::logical_not", this);
  }

  /** The bits set in both; integers and bools, whose dtype the result has. */
  default Tensor bitwiseAnd(Tensor other) {
    return apply("aten::bitwise_and.Tensor", this, other);
  }

  /** The bits set in both; integers and bools. */
  default Tensor bitwiseAnd(long other) {
    return apply("aten::bitwise_and.Scalar", this, other);
  }

  /** The bits set in either; integers and bools, whose dtype the result has. */
  default Tensor bitwiseOr(Tensor other) {
    return apply("aten::bitwise_or.Tensor", this, other);
  }

  /** The bits set in either; integers and bools. */
  default Tensor bitwiseOr(long other) {
    return apply("aten::bitwise_or.Scalar", this, other);
  }

  /** The bits set in one; integers and bools, whose dtype the result has. */
  default Tensor bitwiseXor(Tensor other) {
    return apply("aten::bitwise_xor.Tensor", this, other);
  }

  /** The bits set in one; integers and bools. */
  default Tensor bitwiseXor(long other) {
    return apply("aten::bitwise_xor.Scalar", this, other);
  }

  /** The bits turned over; integers and bools, whose dtype the result has. */
  default Tensor bitwiseNot() {
    return apply("aten::bitwise_not", this);
  }

  /**
   * This where {@code condition} (bool) holds, {@code other} elsewhere; all three broadcast, dtypes
   * promote.
   */
  default Tensor where(Tensor condition, Tensor other) {
    return apply("aten::where.self", condition, this, other);
  }

  /** This where {@code condition} (bool) holds, {@code other} elsewhere. */
  default Tensor where(Tensor condition, double other) {
    return apply("aten::where.ScalarOther", condition, this, other);
  }

  /** This where {@code condition} (bool) holds, {@code other} elsewhere. */
  default Tensor where(Tensor condition, long other) {
    return apply("aten::where.ScalarOther", condition, this, other);
  }
}
