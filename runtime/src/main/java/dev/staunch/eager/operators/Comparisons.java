package dev.staunch.eager.operators;

/**
 * Comparisons and logic, element by element; the result is bool unless a method says otherwise.
 *
 * <p>Shapes broadcast; if they cannot, that is a shape fault. Dtypes promote before the comparison.
 * NaN equals nothing.
 */
public interface Comparisons<T> extends Applicable<T> {

  /** {@code this == other}. */
  default T eq(T other) {
    return apply("aten::eq.Tensor", this, other);
  }

  /** {@code this == other}. */
  default T eq(double other) {
    return apply("aten::eq.Scalar", this, other);
  }

  /** {@code this == other}. */
  default T eq(long other) {
    return apply("aten::eq.Scalar", this, other);
  }

  /** {@code this != other}. */
  default T ne(T other) {
    return apply("aten::ne.Tensor", this, other);
  }

  /** {@code this != other}. */
  default T ne(double other) {
    return apply("aten::ne.Scalar", this, other);
  }

  /** {@code this != other}. */
  default T ne(long other) {
    return apply("aten::ne.Scalar", this, other);
  }

  /** {@code this < other}. */
  default T lt(T other) {
    return apply("aten::lt.Tensor", this, other);
  }

  /** {@code this < other}. */
  default T lt(double other) {
    return apply("aten::lt.Scalar", this, other);
  }

  /** {@code this < other}. */
  default T lt(long other) {
    return apply("aten::lt.Scalar", this, other);
  }

  /** {@code this <= other}. */
  default T le(T other) {
    return apply("aten::le.Tensor", this, other);
  }

  /** {@code this <= other}. */
  default T le(double other) {
    return apply("aten::le.Scalar", this, other);
  }

  /** {@code this <= other}. */
  default T le(long other) {
    return apply("aten::le.Scalar", this, other);
  }

  /** {@code this > other}. */
  default T gt(T other) {
    return apply("aten::gt.Tensor", this, other);
  }

  /** {@code this > other}. */
  default T gt(double other) {
    return apply("aten::gt.Scalar", this, other);
  }

  /** {@code this > other}. */
  default T gt(long other) {
    return apply("aten::gt.Scalar", this, other);
  }

  /** {@code this >= other}. */
  default T ge(T other) {
    return apply("aten::ge.Tensor", this, other);
  }

  /** {@code this >= other}. */
  default T ge(double other) {
    return apply("aten::ge.Scalar", this, other);
  }

  /** {@code this >= other}. */
  default T ge(long other) {
    return apply("aten::ge.Scalar", this, other);
  }

  /**
   * Whether {@code |this - other| <= atol + rtol * |other|}; dtypes must match; {@code 1e-5} and
   * {@code 1e-8} are PyTorch's defaults.
   */
  default T isClose(T other, double rtol, double atol) {
    return apply("aten::isclose", this, other, rtol, atol, false);
  }

  /** Whether an element is not a number. */
  default T isNan() {
    return apply("aten::isnan", this);
  }

  /** Whether an element is infinite. */
  default T isInf() {
    return apply("aten::isinf", this);
  }

  /** Whether an element is neither NaN nor infinite. */
  default T isFinite() {
    return apply("aten::isfinite", this);
  }

  /** Whether both elements are not 0. */
  default T logicalAnd(T other) {
    return apply("aten::logical_and", this, other);
  }

  /** Whether at least one element is not 0. */
  default T logicalOr(T other) {
    return apply("aten::logical_or", this, other);
  }

  /** Whether exactly one element is not 0. */
  default T logicalXor(T other) {
    return apply("aten::logical_xor", this, other);
  }

  /** Whether the element is 0. */
  default T logicalNot() {
    return apply("aten::logical_not", this);
  }

  /** The bits set in both; integers and bools. The result has the dtype of the operands. */
  default T bitwiseAnd(T other) {
    return apply("aten::bitwise_and.Tensor", this, other);
  }

  /** The bits set in both; integers and bools. */
  default T bitwiseAnd(long other) {
    return apply("aten::bitwise_and.Scalar", this, other);
  }

  /** The bits set in either; integers and bools. The result has the dtype of the operands. */
  default T bitwiseOr(T other) {
    return apply("aten::bitwise_or.Tensor", this, other);
  }

  /** The bits set in either; integers and bools. */
  default T bitwiseOr(long other) {
    return apply("aten::bitwise_or.Scalar", this, other);
  }

  /** The bits set in exactly one; integers and bools. The result has the dtype of the operands. */
  default T bitwiseXor(T other) {
    return apply("aten::bitwise_xor.Tensor", this, other);
  }

  /** The bits set in exactly one; integers and bools. */
  default T bitwiseXor(long other) {
    return apply("aten::bitwise_xor.Scalar", this, other);
  }

  /** All bits inverted; integers and bools. The result has the dtype of the operand. */
  default T bitwiseNot() {
    return apply("aten::bitwise_not", this);
  }

  /**
   * This where {@code condition} (bool) holds, {@code other} elsewhere; all three broadcast, dtypes
   * promote.
   */
  default T where(T condition, T other) {
    return apply("aten::where.self", condition, this, other);
  }

  /** This where {@code condition} (bool) holds, {@code other} elsewhere. */
  default T where(T condition, double other) {
    return apply("aten::where.ScalarOther", condition, this, other);
  }

  /** This where {@code condition} (bool) holds, {@code other} elsewhere. */
  default T where(T condition, long other) {
    return apply("aten::where.ScalarOther", condition, this, other);
  }
}
