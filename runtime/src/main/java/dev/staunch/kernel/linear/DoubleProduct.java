package dev.staunch.kernel.linear;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@link MatrixProduct} for float64. Inner loops run along a row of {@code c} with every array
 * indexed by the same variable, which is what C2 vectorises; {@link FloatProduct} is the same for
 * float32.
 */
final class DoubleProduct {
  private static final int FEW_ROWS = 4;
  private static final int LANES = 8;

  /** Columns of a that are multiplied at once, before the next look for cancellation. */
  private static final int SPAN = 1 << 15;

  private final Environment environment;
  private final MatrixView a;
  private final MatrixView b;
  private final MatrixView c;
  private final double alpha;

  DoubleProduct(Environment environment, MatrixView a, MatrixView b, MatrixView c, double alpha) {
    this.environment = environment;
    this.a = a;
    this.b = b;
    this.c = c;
    this.alpha = alpha;
  }

  @Nullable Fault run() {
    boolean columnsLieTogether = b.rowStride() == 1 && b.columnStride() != 1;
    return columnsLieTogether && a.rows() <= FEW_ROWS ? byDots() : byPanels();
  }

  /** For a few rows times a transposed matrix: packing would cost more than the product. */
  private @Nullable Fault byDots() {
    int most = Math.min(SPAN, a.columns());
    double[][] rows = new double[a.rows()][most];
    double[][] columns = new double[LANES][];
    for (int lane = 0; lane < LANES; lane++) {
      columns[lane] = lane == 0 || lane < c.columns() ? new double[most] : columns[0];
    }
    Fault cancelled = null;
    for (int k = 0; k < a.columns() && cancelled == null; k += SPAN) {
      cancelled = byDots(k, Math.min(SPAN, a.columns() - k), rows, columns);
    }
    return cancelled;
  }

  /** Adds the products of columns {@code k} to {@code k + count} of a. */
  private @Nullable Fault byDots(int k, int count, double[][] rows, double[][] columns) {
    for (int i = 0; i < rows.length; i++) {
      readRow(a, i, k, count, rows[i]);
      scale(rows[i]);
    }
    double[] sums = new double[LANES];
    for (int j = 0; j < c.columns(); j += LANES) {
      Fault cancelled = environment.cancelled();
      if (cancelled != null) {
        return cancelled;
      }
      int width = Math.min(LANES, c.columns() - j);
      for (int lane = 0; lane < width; lane++) {
        MemorySegment.copy(
            b.segment(), JAVA_DOUBLE, b.at(k, j + lane) * Double.BYTES, columns[lane], 0, count);
      }
      for (int i = 0; i < rows.length; i++) {
        dots(rows[i], count, columns, sums);
        addTo(c.at(i, j), sums, width);
      }
    }
    return null;
  }

  private static void dots(double[] x, int count, double[][] y, double[] sums) {
    Arrays.fill(sums, 0);
    for (int k = 0; k < count; k += MatrixProduct.DEPTH) {
      int end = Math.min(count, k + MatrixProduct.DEPTH);
      eightDots(x, y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7], k, end, sums);
    }
  }

  private static void eightDots(
      double[] x,
      double[] y0,
      double[] y1,
      double[] y2,
      double[] y3,
      double[] y4,
      double[] y5,
      double[] y6,
      double[] y7,
      int start,
      int end,
      double[] sums) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    for (int k = start; k < end; k++) {
      double v = x[k];
      s0 += v * y0[k];
      s1 += v * y1[k];
      s2 += v * y2[k];
      s3 += v * y3[k];
      s4 += v * y4[k];
      s5 += v * y5[k];
      s6 += v * y6[k];
      s7 += v * y7[k];
    }
    sums[0] += s0;
    sums[1] += s1;
    sums[2] += s2;
    sums[3] += s3;
    sums[4] += s4;
    sums[5] += s5;
    sums[6] += s6;
    sums[7] += s7;
  }

  private @Nullable Fault byPanels() {
    int depth = Math.min((a.columns() + 3) & ~3, MatrixProduct.DEPTH);
    double[][] panel = new double[depth][Math.min(b.columns(), MatrixProduct.WIDTH)];
    double[] left = new double[depth];
    double[] sums = new double[panel[0].length];
    for (int j = 0; j < c.columns(); j += MatrixProduct.WIDTH) {
      int width = Math.min(MatrixProduct.WIDTH, c.columns() - j);
      for (int k = 0; k < a.columns(); k += MatrixProduct.DEPTH) {
        int used = Math.min(MatrixProduct.DEPTH, a.columns() - k);
        pack(k, j, used, width, panel);
        Fault cancelled = multiplyPanel(k, j, used, width, panel, left, sums);
        if (cancelled != null) {
          return cancelled;
        }
      }
    }
    return null;
  }

  private @Nullable Fault multiplyPanel(
      int k, int j, int used, int width, double[][] panel, double[] left, double[] sums) {
    for (int i = 0; i < c.rows(); i++) {
      Fault cancelled = environment.cancelled();
      if (cancelled != null) {
        return cancelled;
      }
      readRow(a, i, k, used, left);
      Arrays.fill(left, used, left.length, 0);
      scale(left);
      Arrays.fill(sums, 0, width, 0);
      for (int row = 0; row < used; row += 4) {
        fourProducts(
            sums, left, row, panel[row], panel[row + 1], panel[row + 2], panel[row + 3], width);
      }
      addTo(c.at(i, j), sums, width);
    }
    return null;
  }

  /** One row of c only: C2 does not vectorise a loop that stores to two arrays. */
  private static void fourProducts(
      double[] c,
      double[] left,
      int k,
      double[] b0,
      double[] b1,
      double[] b2,
      double[] b3,
      int width) {
    double a0 = left[k];
    double a1 = left[k + 1];
    double a2 = left[k + 2];
    double a3 = left[k + 3];
    for (int j = 0; j < width; j++) {
      c[j] += a0 * b0[j] + a1 * b1[j] + (a2 * b2[j] + a3 * b3[j]);
    }
  }

  /** Copies {@code used} rows of b; rows up to the next multiple of four become zero. */
  private void pack(int k, int j, int used, int width, double[][] panel) {
    if (b.rowStride() == 1 && b.columnStride() != 1) {
      packTransposed(k, j, used, width, panel);
    } else {
      for (int row = 0; row < used; row++) {
        readRow(b, k + row, j, width, panel[row]);
      }
    }
    for (int row = used; row < ((used + 3) & ~3); row++) {
      Arrays.fill(panel[row], 0);
    }
  }

  private void packTransposed(int k, int j, int used, int width, double[][] panel) {
    double[][] columns = new double[LANES][used];
    for (int start = 0; start < width; start += LANES) {
      int lanes = Math.min(LANES, width - start);
      for (int lane = 0; lane < lanes; lane++) {
        MemorySegment.copy(
            b.segment(),
            JAVA_DOUBLE,
            b.at(k, j + start + lane) * Double.BYTES,
            columns[lane],
            0,
            used);
      }
      for (int row = 0; row < used; row++) {
        double[] target = panel[row];
        for (int lane = 0; lane < lanes; lane++) {
          target[start + lane] = columns[lane][row];
        }
      }
    }
  }

  private static void readRow(MatrixView m, int row, int column, int count, double[] into) {
    long at = m.at(row, column);
    if (m.columnStride() == 1) {
      MemorySegment.copy(m.segment(), JAVA_DOUBLE, at * Double.BYTES, into, 0, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      into[i] = m.segment().getAtIndex(JAVA_DOUBLE, at + i * m.columnStride());
    }
  }

  private void scale(double[] row) {
    if (alpha != 1) {
      for (int i = 0; i < row.length; i++) {
        row[i] *= alpha;
      }
    }
  }

  private void addTo(long at, double[] sums, int width) {
    MemorySegment target = c.segment();
    for (int j = 0; j < width; j++) {
      target.setAtIndex(JAVA_DOUBLE, at + j, target.getAtIndex(JAVA_DOUBLE, at + j) + sums[j]);
    }
  }
}
