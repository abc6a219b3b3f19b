package dev.staunch.eager.operators;

import static dev.staunch.operation.None.NONE;

/**
 * Products of vectors and matrices, and what matrices of observations give.
 *
 * <p>Products need operands of one dtype, or the call is a dtype fault. Float32, float64 and
 * integers are supported; narrower reals and bools are an unsupported fault. Only {@link #outer}
 * promotes, and accepts all real dtypes. Inner sizes that differ are a shape fault that names both
 * shapes.
 */
public interface LinearAlgebra<T> extends Applicable<T> {

  /** The product of vectors, matrices or batches of matrices; leading dimensions broadcast. */
  default T matmul(T other) {
    return apply("aten::matmul", this, other);
  }

  /** {@code [n, k]} by {@code [k, m]} is {@code [n, m]}. */
  default T mm(T other) {
    return apply("aten::mm", this, other);
  }

  /** {@code [b, n, k]} by {@code [b, k, m]} is {@code [b, n, m]}. */
  default T bmm(T other) {
    return apply("aten::bmm", this, other);
  }

  /** {@code [n, k]} by {@code [k]} is {@code [n]}. */
  default T mv(T vector) {
    return apply("aten::mv", this, vector);
  }

  /** The inner product of two vectors of the same length. */
  default T dot(T other) {
    return apply("aten::dot", this, other);
  }

  /** {@code [n]} by {@code [m]} is {@code [n, m]}. */
  default T outer(T other) {
    return apply("aten::outer", this, other);
  }

  /** {@code this + first.mm(second)}; this tensor broadcasts. */
  default T addmm(T first, T second) {
    return apply("aten::addmm", this, first, second, 1L, 1L);
  }

  /** {@code beta * this + alpha * first.mm(second)}. */
  default T addmm(T first, T second, double beta, double alpha) {
    return apply("aten::addmm", this, first, second, beta, alpha);
  }

  /** {@code beta * this + alpha * first.mm(second)}. */
  default T addmm(T first, T second, long beta, long alpha) {
    return apply("aten::addmm", this, first, second, beta, alpha);
  }

  /** {@code this + matrix.mv(vector)}; this tensor broadcasts. */
  default T addmv(T matrix, T vector) {
    return apply("aten::addmv", this, matrix, vector, 1L, 1L);
  }

  /** {@code this + first.bmm(second)}; this tensor broadcasts. */
  default T baddbmm(T first, T second) {
    return apply("aten::baddbmm", this, first, second, 1L, 1L);
  }

  /** The sum of the main diagonal of a matrix. */
  default T trace() {
    return apply("aten::trace", this);
  }

  /** The covariances of the rows, whose columns are observations, with Bessel's correction. */
  default T cov() {
    return apply("aten::cov", this, 1L, NONE, NONE);
  }

  /**
   * The Euclidean distance of each row of this to each row of {@code other}: {@code [..., n, d]}
   * and {@code [..., m, d]} give {@code [..., n, m]}; leading dimensions broadcast. A dtype fault
   * for integers and bools.
   */
  default T cdist(T other) {
    return apply("aten::cdist", this, other, 2.0, NONE);
  }
}
