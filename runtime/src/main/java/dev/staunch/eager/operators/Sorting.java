package dev.staunch.eager.operators;

import static dev.staunch.operation.None.NONE;

/**
 * Sorting and searching along a dimension.
 *
 * <p>Negative dimensions count from the end; a dimension out of range is an index fault. NaN is
 * greater than every number. Indices are int64.
 */
public interface Sorting<T> extends Applicable<T> {

  /** The last dimension in ascending order, and the index that each value had. */
  default IndexedValues<T> sort() {
    return IndexedValues.of(applyMany("aten::sort", 2, this, -1L, false));
  }

  /** {@code dim} in ascending or descending order, and the index that each value had. */
  default IndexedValues<T> sort(long dim, boolean descending) {
    return IndexedValues.of(applyMany("aten::sort", 2, this, dim, descending));
  }

  /** The indices that {@link #sort(long, boolean)} gives. */
  default T argsort(long dim, boolean descending) {
    return apply("aten::argsort", this, dim, descending);
  }

  /**
   * The {@code k} greatest values of the last dimension, greatest first; a fault if there are fewer
   * than {@code k}.
   */
  default IndexedValues<T> topk(long k) {
    return IndexedValues.of(applyMany("aten::topk", 2, this, k, -1L, true, true));
  }

  /** The {@code k} greatest or least values along {@code dim}, in that order. */
  default IndexedValues<T> topk(long k, long dim, boolean largest) {
    return IndexedValues.of(applyMany("aten::topk", 2, this, k, dim, largest, true));
  }

  /** {@code [found, rank]}: the indices of the elements that are not 0, in row-major order. */
  default T nonzero() {
    return apply("aten::nonzero", this);
  }

  /** The distinct elements in ascending order. */
  default T unique() {
    return applyMany("aten::_unique2", 3, this, true, false, false)[0];
  }

  /**
   * Three tensors: the distinct elements in ascending order; for each element of this tensor, in
   * its shape, where it stands among them; and how often each occurs. Both numbers are int64.
   */
  default T[] uniqueCounts() {
    return applyMany("aten::_unique2", 3, this, true, true, true);
  }

  /**
   * Where each of {@code values} would be inserted into this tensor, whose last dimension is in
   * ascending order: behind elements that are equal if {@code right}, else before them. This tensor
   * is a vector, or has the shape of {@code values} but for the last dimension.
   */
  default T searchsorted(T values, boolean right) {
    return apply("aten::searchsorted.Tensor", this, values, false, right, NONE, NONE);
  }
}
