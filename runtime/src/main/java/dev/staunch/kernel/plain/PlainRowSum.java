package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/** Sums of rows, some columns at a time, so that they stay in registers. */
final class PlainRowSum {
  private static final int COLUMNS = 4;

  private PlainRowSum() {}

  static void add(
      MemorySegment table, long offset, long stride, long[] picked, int count, double[] sum) {
    int whole = sum.length - sum.length % COLUMNS;
    for (int i = 0; i < whole; i += COLUMNS) {
      double a = sum[i];
      double b = sum[i + 1];
      double c = sum[i + 2];
      double d = sum[i + 3];
      for (int k = 0; k < count; k++) {
        long at = offset + picked[k] * stride + i;
        a += table.getAtIndex(JAVA_FLOAT, at);
        b += table.getAtIndex(JAVA_FLOAT, at + 1);
        c += table.getAtIndex(JAVA_FLOAT, at + 2);
        d += table.getAtIndex(JAVA_FLOAT, at + 3);
      }
      sum[i] = a;
      sum[i + 1] = b;
      sum[i + 2] = c;
      sum[i + 3] = d;
    }
    for (int i = whole; i < sum.length; i++) {
      for (int k = 0; k < count; k++) {
        sum[i] += table.getAtIndex(JAVA_FLOAT, offset + picked[k] * stride + i);
      }
    }
  }
}
