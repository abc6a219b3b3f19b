package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * Reduces the elements of off-heap rows to doubles, without copying them first. Positions count
 * elements. The extreme of elements that include NaN is NaN.
 */
public interface RowReduction {
  /** What the elements are reduced to. */
  enum Kind {
    SUM,
    /** The sum of the squares. */
    SQUARES,
    PRODUCT,
    GREATEST,
    LEAST
  }

  /**
   * {@code result} combined with {@code count} elements of a row, in an order that the set chooses.
   */
  double along(double result, MemorySegment row, long from, int count);

  /** Combines each of the first {@code count} results with one element of a row. */
  void across(double[] results, MemorySegment row, long from, int count);
}
