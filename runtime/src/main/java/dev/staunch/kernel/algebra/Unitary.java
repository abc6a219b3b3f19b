package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/**
 * The factors A = Q R of a matrix of complex numbers by Householder reflections. As in LAPACK, the
 * diagonal of R is real, with the signs that LAPACK chooses.
 */
final class Unitary {
  private final int rows;
  private final ComplexMatrix matrix;

  /** The parts of each reflection's weight, side by side. */
  private final double[] weights;

  private final CancellationPoll poll;

  /** Overwrites {@code matrix}; after a cancellation the factors are meaningless. */
  Unitary(ComplexMatrix matrix, int rows, CancellationPoll poll) {
    this.rows = rows;
    this.matrix = matrix;
    this.weights = new double[2 * Math.min(rows, matrix.width())];
    this.poll = poll;
    for (int k = 0; k < weights.length / 2 && poll.mayContinue(rows); k++) {
      reflect(k);
    }
  }

  private void reflect(int k) {
    double squares = 0;
    for (int i = k + 1; i < rows; i++) {
      squares += matrix.re(i, k) * matrix.re(i, k) + matrix.im(i, k) * matrix.im(i, k);
    }
    double re = matrix.re(k, k);
    double im = matrix.im(k, k);
    if (squares == 0 && im == 0) {
      return; // the weight stays 0: nothing to reflect
    }
    double norm = -Math.copySign(Math.sqrt(re * re + im * im + squares), re);
    weights[2 * k] = (norm - re) / norm;
    weights[2 * k + 1] = -im / norm;
    for (int i = k + 1; i < rows; i++) {
      double[] part = ComplexMatrix.quotient(matrix.re(i, k), matrix.im(i, k), re - norm, im);
      matrix.set(i, k, part[0], part[1]);
    }
    matrix.set(k, k, norm, 0);
    apply(k, matrix, k + 1, -1);
  }

  /**
   * Applies reflection {@code k}, or its adjoint if {@code sign} is -1, to the columns from {@code
   * first} on.
   */
  private void apply(int k, ComplexMatrix target, int first, int sign) {
    for (int j = first; j < target.width() && poll.mayContinue(8L * (rows - k)); j++) {
      double re = target.re(k, j);
      double im = target.im(k, j);
      for (int i = k + 1; i < rows; i++) {
        re += matrix.re(i, k) * target.re(i, j) + matrix.im(i, k) * target.im(i, j);
        im += matrix.re(i, k) * target.im(i, j) - matrix.im(i, k) * target.re(i, j);
      }
      double[] sum = ComplexMatrix.product(re, im, weights[2 * k], sign * weights[2 * k + 1]);
      target.add(k, j, -sum[0], -sum[1]);
      for (int i = k + 1; i < rows; i++) {
        double vectorRe = matrix.re(i, k);
        double vectorIm = matrix.im(i, k);
        target.add(
            i, j, vectorIm * sum[1] - vectorRe * sum[0], -vectorRe * sum[1] - vectorIm * sum[0]);
      }
    }
  }

  /** The first {@code height} rows of R. */
  ComplexMatrix upper(int height) {
    ComplexMatrix upper = ComplexMatrix.zeros(height, matrix.width());
    for (int i = 0; i < Math.min(height, weights.length / 2); i++) {
      for (int j = i; j < matrix.width() && poll.mayContinue(1); j++) {
        upper.set(i, j, matrix.re(i, j), matrix.im(i, j));
      }
    }
    return upper;
  }

  /** The first {@code width} columns of Q. */
  ComplexMatrix basis(int width) {
    ComplexMatrix basis = ComplexMatrix.zeros(rows, width);
    for (int j = 0; j < width; j++) {
      basis.set(j, j, 1, 0);
    }
    for (int k = weights.length / 2 - 1; k >= 0 && poll.fault() == null; k--) {
      apply(k, basis, 0, 1);
    }
    return basis;
  }
}
