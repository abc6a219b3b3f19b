package dev.staunch.kernel.primitive;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Adds up rows of a float32 table. Every set gives the same sums to the bit, for there is one order
 * and no rounding but that of doubles.
 */
@FunctionalInterface
public interface RowSum {

  /**
   * Rows of one length, each without gaps.
   *
   * @param offset where the first one begins, in elements
   * @param stride from a row to the next
   */
  record Table(MemorySegment segment, long offset, long stride, int columns) {

    /** Where row {@code row} begins. */
    public long at(long row) {
      return offset + row * stride;
    }
  }

  /**
   * Adds to {@code sum}, an element for each column, the rows that {@code picked} names between
   * {@code from} and {@code end}, in that order.
   */
  void add(Table table, long[] picked, int from, int end, double[] sum);

  /**
   * Writes the sums of some bags of rows, each rounded once, one behind the other.
   *
   * @param ends where in {@code picked} each bag ends and the next one begins; the first begins at
   *     0
   * @param bags how many there are
   * @param to where in {@code into} the first sum goes, in elements
   */
  default void addBags(
      Table table, long[] picked, int[] ends, int bags, MemorySegment into, long to) {
    double[] sum = new double[table.columns()];
    for (int bag = 0; bag < bags; bag++) {
      Arrays.fill(sum, 0);
      add(table, picked, bag == 0 ? 0 : ends[bag - 1], ends[bag], sum);
      for (int i = 0; i < sum.length; i++) {
        into.setAtIndex(JAVA_FLOAT, to + (long) bag * sum.length + i, (float) sum[i]);
      }
    }
  }
}
