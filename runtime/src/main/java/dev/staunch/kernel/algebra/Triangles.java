package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/** Triangular matrices: solutions, and the factor of a positive definite matrix. */
final class Triangles {
  private Triangles() {}

  /**
   * Solves T X = B with {@code columns} columns, in place of B; the other triangle is not read.
   *
   * @param unit whether the diagonal counts as ones
   */
  static void solve(
      double[] triangle,
      int size,
      boolean upper,
      boolean unit,
      double[] right,
      int columns,
      CancellationPoll poll) {
    for (int step = 0; step < size; step++) {
      int i = upper ? size - 1 - step : step;
      int from = upper ? i + 1 : 0;
      int to = upper ? size : i;
      for (int k = from; k < to && poll.mayContinue(columns); k++) {
        double factor = triangle[i * size + k];
        for (int j = 0; j < columns; j++) {
          right[i * columns + j] -= factor * right[k * columns + j];
        }
      }
      double head = unit ? 1 : triangle[i * size + i];
      for (int j = 0; j < columns; j++) {
        right[i * columns + j] /= head;
      }
    }
  }

  /**
   * Makes a matrix of blocks of {@code parts} rows and columns the triangle that it stands for.
   *
   * @param unit whether the diagonal becomes ones
   */
  static void clear(double[] matrix, int size, int parts, boolean upper, boolean unit) {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        int below = i / parts - j / parts;
        if (unit && below == 0) {
          matrix[i * size + j] = i == j ? 1 : 0;
        } else if (upper ? below > 0 : below < 0) {
          matrix[i * size + j] = 0;
        }
      }
    }
  }

  /**
   * L of A = L L^T, from the lower triangle of A; returns the order, counted from 1, of the first
   * leading minor that is not positive, or 0.
   */
  static int cholesky(double[] matrix, int size, double[] lower, CancellationPoll poll) {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i && poll.mayContinue(j); j++) {
        double sum = matrix[i * size + j];
        for (int k = 0; k < j; k++) {
          sum -= lower[i * size + k] * lower[j * size + k];
        }
        if (i == j && !(sum > 0)) {
          return i + 1;
        }
        lower[i * size + j] = i == j ? Math.sqrt(sum) : sum / lower[j * size + j];
      }
      for (int j = i + 1; j < size; j++) {
        lower[i * size + j] = 0;
      }
    }
    return 0;
  }

  static double[] transposed(double[] matrix, int rows, int columns, CancellationPoll poll) {
    double[] turned = new double[matrix.length];
    for (int i = 0; i < rows && poll.mayContinue(columns); i++) {
      for (int j = 0; j < columns; j++) {
        turned[j * rows + i] = matrix[i * columns + j];
      }
    }
    return turned;
  }
}
