package dev.staunch.eager.operators;

/**
 * Order and search along a dimension.
 *
 * <p>Dimensions count from the end if negative; one that is not there is an index fault. NaN is
 * greater than every number. Indices are int64.
 */
public interface Sorting<T> extends Applicable<T> {

  /** The last dimension in rising order, and where each value was. */
  default IndexedValues<T> sort() {
    return IndexedValues.of(applyMany("aten::sort", 2, this, -1L, false));
  }

  /** {@code dim} in rising or falling order, and where each value was. */
  default IndexedValues<T> sort(long dim, boolean descending) {
    return IndexedValues.of(applyMany("aten::sort", 2, this, dim, descending));
  }

  /** The indices that {@link #sort(long, boolean)} gives. */
  default T argsort(long dim, boolean descending) {
    return apply("aten::argsort", this, dim, descending);
  }

  /**
   * The {@code k} greatest values of the last dimension, greatest first; a fault if there are
   * fewer.
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

  /** The different elements in rising order. */
  default T unique() {
    return applyMany("aten::_unique2", 3, this, true, false, false)[0];
  }
}
