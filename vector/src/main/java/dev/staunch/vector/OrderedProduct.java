package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowReduction;
import java.lang.foreign.MemorySegment;

/**
 * The product of rows. Where a zero meets an overflowed value, the order decides whether the result
 * is zero or NaN; a result that is NaN is therefore computed again, in order.
 */
enum OrderedProduct implements RowReduction {
  ONLY;

  private static final RowReduction LANES = new ProductOfRow();

  @Override
  public double along(double result, MemorySegment row, long from, int count) {
    double product = LANES.along(result, row, from, count);
    return Double.isNaN(product) ? inOrder(result, row, from, count) : product;
  }

  private static double inOrder(double result, MemorySegment row, long from, int count) {
    double product = result;
    for (int i = 0; i < count; i++) {
      product *= row.getAtIndex(JAVA_FLOAT, from + i);
    }
    return product;
  }

  @Override
  public void across(double[] results, MemorySegment row, long from, int count) {
    LANES.across(results, row, from, count);
  }
}
