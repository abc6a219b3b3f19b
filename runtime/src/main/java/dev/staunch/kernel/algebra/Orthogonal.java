package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;
import java.util.Arrays;

/**
 * The factors A = Q R of a matrix by Householder reflections, with the signs that LAPACK chooses.
 */
final class Orthogonal {
  private final int rows;
  private final int columns;
  private final double[] matrix;
  private final double[] weights;

  /** Of each column that is reflected. */
  private final double[] sums;

  private final CancellationPoll poll;

  /**
   * Overwrites {@code matrix}, which is {@code rows} by {@code columns}; after a cancellation the
   * factors are meaningless.
   */
  Orthogonal(double[] matrix, int rows, int columns, CancellationPoll poll) {
    this.poll = poll;
    this.matrix = matrix;
    this.rows = rows;
    this.columns = columns;
    this.weights = new double[Math.min(rows, columns)];
    this.sums = new double[Math.max(rows, columns)];
    for (int k = 0; k < weights.length && poll.fault() == null; k++) {
      reflect(k);
    }
  }

  private void reflect(int k) {
    double squares = 0;
    for (int i = k + 1; i < rows; i++) {
      squares += matrix[i * columns + k] * matrix[i * columns + k];
    }
    double head = matrix[k * columns + k];
    if (squares == 0) {
      return; // the weight stays 0: nothing to reflect
    }
    double norm = -Math.copySign(Math.sqrt(head * head + squares), head);
    weights[k] = (norm - head) / norm;
    for (int i = k + 1; i < rows; i++) {
      matrix[i * columns + k] /= head - norm;
    }
    matrix[k * columns + k] = norm;
    apply(k, matrix, columns, k + 1);
  }

  /**
   * Applies reflection {@code k} to the columns from {@code first} on of a matrix of {@code width}
   * columns, row by row.
   */
  private void apply(int k, double[] target, int width, int first) {
    System.arraycopy(target, k * width, sums, 0, width);
    for (int i = k + 1; i < rows; i++) {
      add(matrix[i * columns + k], target, i * width, sums, 0, first, width);
    }
    for (int j = first; j < width; j++) {
      sums[j] *= weights[k];
      target[k * width + j] -= sums[j];
    }
    for (int i = k + 1; i < rows && poll.mayContinue(2L * (width - first)); i++) {
      add(-matrix[i * columns + k], sums, 0, target, i * width, first, width);
    }
  }

  private static void add(
      double factor, double[] from, int at, double[] to, int place, int first, int end) {
    for (int j = first; j < end; j++) {
      to[place + j] += factor * from[at + j];
    }
  }

  /** R with the vectors of the reflections below it, and the weights of the reflections. */
  void packed(double[] target, double[] factors) {
    System.arraycopy(matrix, 0, target, 0, target.length);
    System.arraycopy(weights, 0, factors, 0, factors.length);
  }

  /** The first {@code height} rows of R. */
  void upper(double[] target, int height) {
    for (int i = 0; i < height && poll.mayContinue(columns); i++) {
      for (int j = 0; j < columns; j++) {
        target[i * columns + j] = j < i || i >= weights.length ? 0 : matrix[i * columns + j];
      }
    }
  }

  /** The first {@code width} columns of Q. */
  void basis(double[] target, int width) {
    Arrays.fill(target, 0);
    for (int j = 0; j < width; j++) {
      target[j * width + j] = 1;
    }
    for (int k = weights.length - 1; k >= 0 && poll.fault() == null; k--) {
      apply(k, target, width, 0);
    }
  }
}
