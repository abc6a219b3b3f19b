package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * Combines the elements of float32 rows off the heap into doubles, where they lie. Places count
 * elements. NaN is the extreme of what holds one.
 */
public interface RowReduction {
  /** What is made of the elements. */
  enum Kind {
    SUM,
    /** The sum of the squares. */
    SQUARES,
    PRODUCT,
    GREATEST,
    LEAST
  }

  /** {@code result} combined with {@code count} elements of a row, in an order of the set's own. */
  double along(double result, MemorySegment row, long from, int count);

  /** Combines each of the first {@code count} results with one element of a row. */
  void across(double[] results, MemorySegment row, long from, int count);
}
