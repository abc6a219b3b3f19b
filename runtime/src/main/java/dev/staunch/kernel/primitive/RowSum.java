package dev.staunch.kernel.primitive;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Adds up rows of a float32 table. Every set gives bit-identical sums: the order is fixed, and only
 * doubles are rounded.
 */
@FunctionalInterface
public interface RowSum {

  /**
   * Rows of equal length, each without gaps.
   *
   * @param offset where the first row begins, in elements
   * @param stride the distance from one row to the next, in elements
   */
  record Table(MemorySegment segment, long offset, long stride, int columns) {

    /** Where row {@code row} begins. */
    public long at(long row) {
      return offset + row * stride;
    }
  }

  /**
   * Adds to {@code sum}, which has one element per column, the rows whose numbers are in {@code
   * picked} from {@code from} to before {@code end}, in that order.
   */
  void add(Table table, long[] picked, int from, int end, double[] sum);

  /**
   * Writes the sums of several bags of rows one after the other, each rounded once.
   *
   * @param ends where in {@code picked} each bag ends and the next one begins; the first bag begins
   *     at 0
   * @param bags the number of bags
   * @param to the position of the first sum in {@code into}, in elements
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
