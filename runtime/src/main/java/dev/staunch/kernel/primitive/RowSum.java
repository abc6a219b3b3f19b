package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * Adds up rows of a float32 table. Every set gives the same sums to the bit, for there is one order
 * and no rounding but that of doubles.
 */
public interface RowSum {

  /**
   * Adds to {@code sum} the rows that {@code picked} names, in that order.
   *
   * @param offset where the first row of the table begins, in elements
   * @param stride from a row to the next; the elements of a row, as many as {@code sum} has, lie
   *     together
   * @param count how many of {@code picked} are to be added
   */
  void add(MemorySegment table, long offset, long stride, long[] picked, int count, double[] sum);
}
