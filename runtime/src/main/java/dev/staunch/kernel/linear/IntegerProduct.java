package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Environment;
import dev.staunch.tensor.Elements;
import org.jspecify.annotations.Nullable;

/** {@link MatrixProduct} for integers: exact, wrapping around at the width of the dtype. */
final class IntegerProduct {
  private final Environment environment;
  private final MatrixView a;
  private final MatrixView b;
  private final MatrixView c;
  private final long alpha;

  IntegerProduct(Environment environment, MatrixView a, MatrixView b, MatrixView c, long alpha) {
    this.environment = environment;
    this.a = a;
    this.b = b;
    this.c = c;
    this.alpha = alpha;
  }

  @Nullable Fault run() {
    for (int k = 0; k < a.columns(); k += MatrixProduct.DEPTH) {
      int depth = Math.min(MatrixProduct.DEPTH, a.columns() - k);
      for (int j = 0; j < c.columns(); j += MatrixProduct.WIDTH) {
        int width = Math.min(MatrixProduct.WIDTH, c.columns() - j);
        Fault cancelled = multiplyPanel(k, j, width, pack(k, j, depth, width));
        if (cancelled != null) {
          return cancelled;
        }
      }
    }
    return null;
  }

  private long[][] pack(int k, int j, int depth, int width) {
    long[][] panel = new long[depth][width];
    for (int row = 0; row < depth; row++) {
      for (int column = 0; column < width; column++) {
        panel[row][column] = Elements.asLong(b.segment(), b.dtype(), b.at(k + row, j + column));
      }
    }
    return panel;
  }

  private @Nullable Fault multiplyPanel(int k, int j, int width, long[][] panel) {
    for (int i = 0; i < c.rows(); i++) {
      Fault cancelled = environment.cancelled();
      if (cancelled != null) {
        return cancelled;
      }
      long[] sums = new long[width];
      for (int row = 0; row < panel.length; row++) {
        addScaled(
            sums, alpha * Elements.asLong(a.segment(), a.dtype(), a.at(i, k + row)), panel[row]);
      }
      for (int column = 0; column < width; column++) {
        long at = c.at(i, j + column);
        long sum = Elements.asLong(c.segment(), c.dtype(), at) + sums[column];
        Elements.putLong(c.segment(), c.dtype(), at, sum);
      }
    }
    return null;
  }

  private static void addScaled(long[] sums, long factor, long[] row) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += factor * row[i];
    }
  }
}
