package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowSum;
import java.lang.foreign.MemorySegment;

/** Sums of rows, a few columns at a time, so that the sums stay in registers. */
final class PlainRowSum {
  private static final int COLUMNS = 4;

  private PlainRowSum() {}

  static void add(RowSum.Table table, long[] picked, int from, int end, double[] sum) {
    MemorySegment rows = table.segment();
    int whole = sum.length - sum.length % COLUMNS;
    for (int i = 0; i < whole; i += COLUMNS) {
      double a = sum[i];
      double b = sum[i + 1];
      double c = sum[i + 2];
      double d = sum[i + 3];
      for (int k = from; k < end; k++) {
        long at = table.at(picked[k]) + i;
        a += rows.getAtIndex(JAVA_FLOAT, at);
        b += rows.getAtIndex(JAVA_FLOAT, at + 1);
        c += rows.getAtIndex(JAVA_FLOAT, at + 2);
        d += rows.getAtIndex(JAVA_FLOAT, at + 3);
      }
      sum[i] = a;
      sum[i + 1] = b;
      sum[i + 2] = c;
      sum[i + 3] = d;
    }
    for (int i = whole; i < sum.length; i++) {
      for (int k = from; k < end; k++) {
        sum[i] += rows.getAtIndex(JAVA_FLOAT, table.at(picked[k]) + i);
      }
    }
  }
}
