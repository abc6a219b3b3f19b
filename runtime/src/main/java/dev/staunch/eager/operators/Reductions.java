package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.eager.operators.Arguments.optional;
import static dev.staunch.operation.None.NONE;

import org.jspecify.annotations.Nullable;

/**
 * Sums, means, extremes, tests, running totals and counts.
 *
 * <p>Without a dimension, the whole tensor reduces to one without dimensions. Negative dimensions
 * count from the end; a dimension out of range is an index fault. A reduced dimension is removed,
 * or kept with size 1 if {@code keepDim}. Sums and products of integers and bools are int64; means,
 * deviations, variances and norms require floating dtypes. Tests give bool, or uint8 for uint8.
 */
public interface Reductions<T> extends Applicable<T> {

  /** The sum of all elements. */
  default T sum() {
    return apply("aten::sum", this, NONE);
  }

  /** The sums along {@code dims}. */
  default T sum(long... dims) {
    return apply("aten::sum.dim_IntList", this, longs("dims", dims), false, NONE);
  }

  /** The sums along {@code dims}. */
  default T sum(long[] dims, boolean keepDim) {
    return apply("aten::sum.dim_IntList", this, longs("dims", dims), keepDim, NONE);
  }

  /** The mean of all elements; a dtype fault for integers and bools. */
  default T mean() {
    return apply("aten::mean", this, NONE);
  }

  /** The means along {@code dims}. */
  default T mean(long... dims) {
    return apply("aten::mean.dim", this, longs("dims", dims), false, NONE);
  }

  /** The means along {@code dims}. */
  default T mean(long[] dims, boolean keepDim) {
    return apply("aten::mean.dim", this, longs("dims", dims), keepDim, NONE);
  }

  /** The product of all elements. */
  default T prod() {
    return apply("aten::prod", this, NONE);
  }

  /** The products along {@code dim}. */
  default T prod(long dim) {
    return apply("aten::prod.dim_int", this, dim, false, NONE);
  }

  /** The standard deviation of all elements, with Bessel's correction. */
  default T std() {
    return apply("aten::std", this, true);
  }

  /** The standard deviations along {@code dims}, with Bessel's correction. */
  default T std(long... dims) {
    return std(dims, true, false);
  }

  /**
   * The standard deviations along {@code dims}; {@code unbiased} divides by one less than the
   * number of elements.
   */
  default T std(long[] dims, boolean unbiased, boolean keepDim) {
    return apply("aten::std.dim", this, longs("dims", dims), unbiased, keepDim);
  }

  /** The variance of all elements, with Bessel's correction. */
  default T var() {
    return apply("aten::var", this, true);
  }

  /** The variances along {@code dims}, with Bessel's correction. */
  default T var(long... dims) {
    return var(dims, true, false);
  }

  /**
   * The variances along {@code dims}; {@code unbiased} divides by one less than the number of
   * elements.
   */
  default T var(long[] dims, boolean unbiased, boolean keepDim) {
    return apply("aten::var.dim", this, longs("dims", dims), unbiased, keepDim);
  }

  /** The Euclidean norm of all elements. */
  default T norm() {
    return apply("aten::norm.Scalar", this, 2L);
  }

  /** The p-norm of all elements; {@code p} may be infinite. */
  default T norm(double p) {
    return apply("aten::norm.Scalar", this, p);
  }

  /** The p-norms along {@code dims}. */
  default T norm(double p, long[] dims, boolean keepDim) {
    return apply("aten::norm.ScalarOpt_dim", this, p, longs("dims", dims), keepDim);
  }

  /** The greatest element; NaN wins; a fault if there are no elements. */
  default T max() {
    return apply("aten::max", this);
  }

  /** The greatest elements along {@code dim}, and their indices. */
  default IndexedValues<T> max(long dim) {
    return IndexedValues.of(applyMany("aten::max.dim", 2, this, dim, false));
  }

  /** The greatest elements along {@code dim}, and their indices. */
  default IndexedValues<T> max(long dim, boolean keepDim) {
    return IndexedValues.of(applyMany("aten::max.dim", 2, this, dim, keepDim));
  }

  /** The least element; NaN wins; a fault if there are no elements. */
  default T min() {
    return apply("aten::min", this);
  }

  /** The least elements along {@code dim}, and their indices. */
  default IndexedValues<T> min(long dim) {
    return IndexedValues.of(applyMany("aten::min.dim", 2, this, dim, false));
  }

  /** The least elements along {@code dim}, and their indices. */
  default IndexedValues<T> min(long dim, boolean keepDim) {
    return IndexedValues.of(applyMany("aten::min.dim", 2, this, dim, keepDim));
  }

  /** The greatest elements along {@code dims}. */
  default T amax(long[] dims, boolean keepDim) {
    return apply("aten::amax", this, longs("dims", dims), keepDim);
  }

  /** The least elements along {@code dims}. */
  default T amin(long[] dims, boolean keepDim) {
    return apply("aten::amin", this, longs("dims", dims), keepDim);
  }

  /** The row-major position of the greatest element, int64. */
  default T argmax() {
    return apply("aten::argmax", this, NONE, false);
  }

  /** The indices of the greatest elements along {@code dim}, int64. */
  default T argmax(long dim) {
    return apply("aten::argmax", this, dim, false);
  }

  /** The row-major position of the least element, int64. */
  default T argmin() {
    return apply("aten::argmin", this, NONE, false);
  }

  /** The indices of the least elements along {@code dim}, int64. */
  default T argmin(long dim) {
    return apply("aten::argmin", this, dim, false);
  }

  /** The indices of the greatest elements along {@code dim}, int64. */
  default T argmax(long dim, boolean keepDim) {
    return apply("aten::argmax", this, dim, keepDim);
  }

  /** The indices of the least elements along {@code dim}, int64. */
  default T argmin(long dim, boolean keepDim) {
    return apply("aten::argmin", this, dim, keepDim);
  }

  /** Whether no element is 0. */
  default T all() {
    return apply("aten::all", this);
  }

  /** Whether no element along {@code dim} is 0. */
  default T all(long dim) {
    return apply("aten::all.dim", this, dim, false);
  }

  /** Whether no element along {@code dim} is 0. */
  default T all(long dim, boolean keepDim) {
    return apply("aten::all.dim", this, dim, keepDim);
  }

  /** Whether any element is not 0. */
  default T any() {
    return apply("aten::any", this);
  }

  /** Whether any element along {@code dim} is not 0. */
  default T any(long dim) {
    return apply("aten::any.dim", this, dim, false);
  }

  /** Whether any element along {@code dim} is not 0. */
  default T any(long dim, boolean keepDim) {
    return apply("aten::any.dim", this, dim, keepDim);
  }

  /** The running sums along {@code dim}; the shape is kept. */
  default T cumsum(long dim) {
    return apply("aten::cumsum", this, dim, NONE);
  }

  /** The running products along {@code dim}; the shape is kept. */
  default T cumprod(long dim) {
    return apply("aten::cumprod", this, dim, NONE);
  }

  /**
   * The differences of neighbours along {@code dim}, taken {@code n} times; each time there is one
   * element less.
   */
  default T diff(long n, long dim) {
    return apply("aten::diff", this, n, dim, NONE, NONE);
  }

  /** {@code log(sum(exp(x)))} along {@code dims}, without overflow. */
  default T logsumexp(long... dims) {
    return apply("aten::logsumexp", this, longs("dims", dims), false);
  }

  /** The median of all elements: the lesser of two in the middle; NaN if any element is NaN. */
  default T median() {
    return apply("aten::median", this);
  }

  /** The medians along {@code dim}, and their indices. */
  default IndexedValues<T> median(long dim) {
    return IndexedValues.of(applyMany("aten::median.dim", 2, this, dim, false));
  }

  /**
   * The number below which the part {@code q}, from 0 to 1, of all elements lies; interpolates
   * between two elements. NaN if any element is NaN; float32 and float64.
   */
  default T quantile(double q) {
    return apply("aten::quantile.scalar", this, q, NONE, false, "linear");
  }

  /** The quantiles along {@code dim}, as {@link #quantile(double)}. */
  default T quantile(double q, long dim, boolean keepDim) {
    return apply("aten::quantile.scalar", this, q, dim, keepDim, "linear");
  }

  /** How often each number from 0 to the greatest occurs in a vector of integers, none negative. */
  default T bincount() {
    return apply("aten::bincount", this, NONE, 0L);
  }

  /**
   * As {@link #bincount()}, for at least {@code minLength} numbers; if there are weights, one for
   * each element, they are summed instead.
   */
  default T bincount(@Nullable T weights, long minLength) {
    return apply("aten::bincount", this, optional(weights), minLength);
  }

  /**
   * How many elements lie in each of {@code bins} equal parts of the range from {@code min} to
   * {@code max}, which belongs to the last part. If both are 0, the range is that of the elements.
   * Float32 and float64, and so is the result.
   */
  default T histc(long bins, double min, double max) {
    return apply("aten::histc", this, bins, min, max);
  }
}
