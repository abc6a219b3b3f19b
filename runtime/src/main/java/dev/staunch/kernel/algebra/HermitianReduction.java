package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;
import java.util.Arrays;

/**
 * A Hermitian matrix A = Q T Q*, where T is real and has one diagonal beside the main one. As in
 * LAPACK, the last row of Q is that of the unit matrix or, for a matrix given by its lower
 * triangle, the first one is.
 */
final class HermitianReduction {
  private final int size;

  /** The leading part is still to be reduced. */
  private final ComplexMatrix matrix;

  private final boolean upper;
  private final CancellationPoll poll;
  private final double[] diagonal;
  private final double[] beside;

  /** The columns of Q, as rows of all real parts and then all imaginary parts. */
  private final double[] basis;

  /** By row, the vector of its reflection, its parts as in {@link #basis}. */
  private final double[][] vectors;

  private final double[] weights;

  /**
   * Reduces a matrix of blocks of reals; imaginary parts on its diagonal are not read.
   *
   * @param poll says when to stop; the results are then incomplete
   */
  HermitianReduction(double[] blocks, int size, boolean upper, CancellationPoll poll) {
    this.size = size;
    this.matrix = new ComplexMatrix(new double[size * size], new double[size * size], size);
    this.upper = upper;
    this.poll = poll;
    this.diagonal = new double[size];
    this.beside = new double[size];
    this.basis = new double[size * 2 * size];
    this.vectors = new double[size][];
    this.weights = new double[size];
    for (int i = 0; i < size && poll.mayContinue(size); i++) {
      for (int j = 0; j < size; j++) {
        int at = 2 * place(i) * 2 * size + 2 * place(j);
        matrix.set(i, j, blocks[at], i == j ? 0 : blocks[at + 2 * size]);
      }
    }
    double[] turns = new double[2 * size];
    for (int i = size - 1; i > 0 && poll.fault() == null; i--) {
      reflect(i, turns);
    }
    collect(turns);
  }

  /** The row of the matrix that is row {@code i} here. */
  private int place(int i) {
    return upper ? i : size - 1 - i;
  }

  double[] diagonal() {
    return diagonal;
  }

  /** Element {@code i} belongs to rows {@code i} and {@code i + 1}. */
  double[] beside() {
    return beside;
  }

  double[] basis() {
    return basis;
  }

  /**
   * Reflects the leading {@code i} rows and columns, so that column {@code i} ends in one element,
   * and notes the element's direction.
   */
  private void reflect(int i, double[] turns) {
    double[] vector = new double[2 * i];
    double squares = 0;
    for (int j = 0; j < i; j++) {
      vector[j] = matrix.re(j, i);
      vector[i + j] = matrix.im(j, i);
      squares += j < i - 1 ? vector[j] * vector[j] + vector[i + j] * vector[i + j] : 0;
    }
    double last = matrix.size(i - 1, i);
    double re = last == 0 ? 1 : vector[i - 1] / last;
    double im = last == 0 ? 0 : vector[2 * i - 1] / last;
    double length = Math.sqrt(squares + last * last);
    beside[i - 1] = length;
    turns[2 * i] = squares == 0 ? re : -re;
    turns[2 * i + 1] = squares == 0 ? im : -im;
    if (squares == 0) {
      return;
    }
    vector[i - 1] += re * length;
    vector[2 * i - 1] += im * length;
    vectors[i] = vector;
    weights[i] = length * (length + last);
    update(i, vector, weights[i]);
  }

  /** A becomes A - u q* - q u*, for p = A u / weight and q = p - u (u* p) / (2 weight). */
  private void update(int i, double[] u, double weight) {
    double[] q = new double[2 * i];
    double along = 0;
    for (int j = 0; j < i && poll.mayContinue(4L * i); j++) {
      double re = 0;
      double im = 0;
      for (int k = 0; k < i; k++) {
        re += matrix.re(j, k) * u[k] - matrix.im(j, k) * u[i + k];
        im += matrix.re(j, k) * u[i + k] + matrix.im(j, k) * u[k];
      }
      q[j] = re / weight;
      q[i + j] = im / weight;
      along += u[j] * q[j] + u[i + j] * q[i + j];
    }
    for (int j = 0; j < 2 * i; j++) {
      q[j] -= along / (2 * weight) * u[j];
    }
    for (int j = 0; j < i && poll.mayContinue(8L * i); j++) {
      for (int k = 0; k < i; k++) {
        double re = u[j] * q[k] + u[i + j] * q[i + k] + q[j] * u[k] + q[i + j] * u[i + k];
        double im = u[i + j] * q[k] - u[j] * q[i + k] + q[i + j] * u[k] - q[j] * u[i + k];
        matrix.add(j, k, -re, j == k ? 0 : -im);
      }
    }
  }

  /** Applies the reflections, last first, to unit vectors that make the elements beside real. */
  private void collect(double[] turns) {
    double re = 1;
    double im = 0;
    double[] line = new double[2 * size];
    for (int k = size - 1; k >= 0 && poll.fault() == null; k--) {
      diagonal[k] = matrix.re(k, k);
      Arrays.fill(line, 0);
      line[k] = re;
      line[size + k] = im;
      for (int i = 1; i < size && poll.mayContinue(8L * i); i++) {
        if (i > k && vectors[i] != null) {
          apply(i, line);
        }
      }
      for (int i = 0; i < size; i++) {
        basis[2 * size * k + place(i)] = line[i];
        basis[2 * size * k + size + place(i)] = line[size + i];
      }
      double turned = re * turns[2 * k] - im * turns[2 * k + 1];
      im = re * turns[2 * k + 1] + im * turns[2 * k];
      re = turned;
    }
  }

  private void apply(int i, double[] line) {
    double[] u = vectors[i];
    double re = 0;
    double im = 0;
    for (int j = 0; j < i; j++) {
      re += u[j] * line[j] + u[i + j] * line[size + j];
      im += u[j] * line[size + j] - u[i + j] * line[j];
    }
    re /= weights[i];
    im /= weights[i];
    for (int j = 0; j < i; j++) {
      line[j] -= re * u[j] - im * u[i + j];
      line[size + j] -= re * u[i + j] + im * u[j];
    }
  }
}
