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
    for (int k = 0; k < weights.length; k++) {
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
    for (int j = k + 1; j < columns && poll.mayContinue(2L * (rows - k)); j++) {
      apply(k, matrix, columns, j);
    }
  }

  /** Applies reflection {@code k} to column {@code j} of a matrix of {@code width} columns. */
  private void apply(int k, double[] target, int width, int j) {
    double sum = target[k * width + j];
    for (int i = k + 1; i < rows; i++) {
      sum += matrix[i * columns + k] * target[i * width + j];
    }
    sum *= weights[k];
    target[k * width + j] -= sum;
    for (int i = k + 1; i < rows; i++) {
      target[i * width + j] -= sum * matrix[i * columns + k];
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
      for (int k = weights.length - 1; k >= 0 && poll.mayContinue(2L * (rows - k)); k--) {
        apply(k, target, width, j);
      }
    }
  }
}
