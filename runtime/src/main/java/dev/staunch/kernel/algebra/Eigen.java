package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/**
 * Eigenvalues and eigenvectors of a square matrix: it is reduced to Hessenberg form, and that to a
 * triangle by the QR algorithm with Wilkinson shifts, in complex numbers.
 *
 * <p>Source: Golub, Van Loan: Matrix Computations, 7.4 and 7.5.
 */
final class Eigen {
  private static final int MOST_STEPS_PER_VALUE = 60;

  private final int size;

  /** The matrix, which becomes a triangle, row-major. */
  private final ComplexMatrix triangle;

  /** The accumulated rotations. */
  private final ComplexMatrix basis;

  private final CancellationPoll poll;
  private double norm;

  private Eigen(ComplexMatrix matrix, CancellationPoll poll) {
    this.size = matrix.width();
    this.triangle = matrix;
    this.basis = new ComplexMatrix(Elimination.identity(size), new double[size * size], size);
    this.poll = poll;
    for (int i = 0; i < size * size; i++) {
      norm = Math.max(norm, Math.max(Math.abs(matrix.res()[i]), Math.abs(matrix.ims()[i])));
    }
  }

  /**
   * Writes the parts of a real matrix's eigenvalues, and of its eigenvectors, which are columns of
   * length 1.
   *
   * @return whether all eigenvalues were found
   */
  static boolean of(double[] matrix, int size, double[][] out, CancellationPoll poll) {
    boolean found = of(new ComplexMatrix(matrix.clone(), new double[size * size], size), out, poll);
    for (int k = 0; k < size; k++) {
      k += pair(out, size, k);
    }
    return found;
  }

  /** As {@link #of(double[], int, double[][], CancellationPoll)}; overwrites the matrix. */
  static boolean of(ComplexMatrix matrix, double[][] out, CancellationPoll poll) {
    int size = matrix.width();
    Eigen eigen = new Eigen(matrix, poll);
    eigen.hessenberg();
    boolean found = eigen.triangulate();
    for (int i = 0; i < size; i++) {
      out[0][i] = eigen.triangle.re(i, i);
      out[1][i] = eigen.triangle.im(i, i);
    }
    for (int k = size - 1; k >= 0 && poll.mayContinue((long) size * size); k--) {
      eigen.vector(k, out[2], out[3]);
    }
    return found;
  }

  /**
   * Eigenvalues of a real matrix are real or come in conjugate pairs. Moves the partner of k behind
   * it, the one with the positive imaginary part first; returns 1 if there is a partner, else 0.
   */
  private static int pair(double[][] out, int size, int k) {
    int partner = k;
    for (int j = k + 1; j < size; j++) {
      partner = away(out, k, j) < away(out, k, partner) ? j : partner;
    }
    int count = partner == k ? 0 : 1;
    if (count > 0) {
      swap(out, size, k + 1, partner);
    }
    boolean turned = out[1][k] < 0;
    for (int i = -1; i < size; i++) { // of the value, then of the vector
      double[] re = i < 0 ? out[0] : out[2];
      double[] im = i < 0 ? out[1] : out[3];
      int at = Math.max(i, 0) * (i < 0 ? 0 : size) + k;
      im[at] = count == 0 ? 0 : turned ? -im[at] : im[at];
      if (count > 0) {
        re[at + 1] = re[at];
        im[at + 1] = -im[at];
      }
    }
    return count;
  }

  /** The distance of eigenvalue j from the conjugate of k. */
  private static double away(double[][] out, int k, int j) {
    return Math.hypot(out[0][k] - out[0][j], out[1][k] + out[1][j]);
  }

  private static void swap(double[][] out, int size, int a, int b) {
    for (int part = 0; part < out.length; part++) {
      int rows = part < 2 ? 1 : size;
      for (int i = 0; i < rows; i++) {
        double held = out[part][i * size + a];
        out[part][i * size + a] = out[part][i * size + b];
        out[part][i * size + b] = held;
      }
    }
  }

  /** Clears the elements more than one below the diagonal, by rotations. */
  private void hessenberg() {
    for (int column = 0; column < size - 2; column++) {
      for (int row = size - 1; row > column + 1 && poll.mayContinue(6L * size); row--) {
        turn(row - 1, row, column, 0, size);
      }
    }
  }

  /** Rotates two rows so that (q, column) becomes 0, and the same two columns. */
  private void turn(int p, int q, int column, int from, int to) {
    Rotation rotation = Rotation.clearing(triangle, p, q, column);
    rotation.ofRows(triangle, p, q, from, size);
    rotation.ofColumns(triangle, p, q, 0, to);
    rotation.ofColumns(basis, p, q, 0, size);
  }

  private boolean triangulate() {
    int last = size - 1;
    int steps = 0;
    while (last > 0 && poll.fault() == null) {
      int first = last;
      while (first > 0 && !isSmall(first)) {
        first--;
      }
      if (first > 0) {
        triangle.set(first, first - 1, 0, 0);
      }
      if (first == last) {
        last--;
        steps = 0;
      } else if (steps++ < MOST_STEPS_PER_VALUE) {
        step(first, last, steps % 10 == 0);
      } else {
        return false;
      }
    }
    return true;
  }

  private boolean isSmall(int row) {
    double beside = triangle.size(row, row) + triangle.size(row - 1, row - 1);
    return triangle.size(row, row - 1) <= Math.ulp(beside == 0 ? norm : beside);
  }

  /** One step of the QR algorithm for the block from {@code first} to {@code last}. */
  private void step(int first, int last, boolean unusual) {
    double[] shift = unusual ? unusualShift(last) : shift(last);
    for (int i = first; i <= last; i++) {
      triangle.add(i, i, -shift[0], -shift[1]);
    }
    Rotation[] rotations = new Rotation[last - first];
    for (int k = first; k < last && poll.mayContinue(6L * size); k++) {
      rotations[k - first] = Rotation.clearing(triangle, k, k + 1, k);
      rotations[k - first].ofRows(triangle, k, k + 1, k, size);
    }
    for (int k = first; k < last && poll.mayContinue(6L * size); k++) {
      rotations[k - first].ofColumns(triangle, k, k + 1, 0, Math.min(k + 2, last + 1));
      rotations[k - first].ofColumns(basis, k, k + 1, 0, size);
    }
    for (int i = first; i <= last; i++) {
      triangle.add(i, i, shift[0], shift[1]);
    }
  }

  /** The eigenvalue of the trailing 2 by 2 block that is nearer to the last element. */
  private double[] shift(int last) {
    double[] half = {
      (triangle.re(last - 1, last - 1) - triangle.re(last, last)) / 2,
      (triangle.im(last - 1, last - 1) - triangle.im(last, last)) / 2
    };
    double[] product =
        ComplexMatrix.product(
            triangle.re(last - 1, last),
            triangle.im(last - 1, last),
            triangle.re(last, last - 1),
            triangle.im(last, last - 1));
    double[] square = ComplexMatrix.product(half[0], half[1], half[0], half[1]);
    double[] root = ComplexMatrix.root(square[0] + product[0], square[1] + product[1]);
    boolean opposed = half[0] * root[0] + half[1] * root[1] < 0;
    double sign = opposed ? -1 : 1;
    double[] away =
        ComplexMatrix.quotient(
            product[0], product[1], half[0] + sign * root[0], half[1] + sign * root[1]);
    return new double[] {triangle.re(last, last) - away[0], triangle.im(last, last) - away[1]};
  }

  /** An exceptional shift, for blocks that cycle without converging. */
  private double[] unusualShift(int last) {
    double below = triangle.size(last, last - 1);
    return new double[] {triangle.re(last, last) + below, triangle.im(last, last) + below / 2};
  }

  /**
   * The eigenvector of the triangle's element k in the original basis, with its greatest element
   * real.
   */
  private void vector(int k, double[] re, double[] im) {
    double[] x = new double[size];
    double[] y = new double[size];
    x[k] = 1;
    double least = Math.max(Math.ulp(norm), Double.MIN_NORMAL);
    for (int i = k - 1; i >= 0; i--) {
      double sumRe = 0;
      double sumIm = 0;
      for (int j = i + 1; j <= k; j++) {
        double[] each = ComplexMatrix.product(triangle.re(i, j), triangle.im(i, j), x[j], y[j]);
        sumRe -= each[0];
        sumIm -= each[1];
      }
      double away = triangle.re(i, i) - triangle.re(k, k);
      double aside = triangle.im(i, i) - triangle.im(k, k);
      boolean same = Math.abs(away) + Math.abs(aside) < least;
      double[] value = ComplexMatrix.quotient(sumRe, sumIm, same ? least : away, same ? 0 : aside);
      x[i] = value[0];
      y[i] = value[1];
    }
    for (int i = 0; i < size; i++) {
      double sumRe = 0;
      double sumIm = 0;
      for (int j = 0; j <= k; j++) {
        double[] each = ComplexMatrix.product(basis.re(i, j), basis.im(i, j), x[j], y[j]);
        sumRe += each[0];
        sumIm += each[1];
      }
      re[i * size + k] = sumRe;
      im[i * size + k] = sumIm;
    }
    normalise(k, re, im);
  }

  private void normalise(int k, double[] re, double[] im) {
    double length = 0;
    int greatest = k;
    for (int i = 0; i < size; i++) {
      int at = i * size + k;
      length = Math.hypot(length, Math.hypot(re[at], im[at]));
      boolean more = Math.hypot(re[at], im[at]) > Math.hypot(re[greatest], im[greatest]);
      greatest = more ? at : greatest;
    }
    double most = Math.hypot(re[greatest], im[greatest]);
    double turnRe = re[greatest] / most / length;
    double turnIm = -im[greatest] / most / length;
    for (int i = 0; i < size && length > 0; i++) {
      int at = i * size + k;
      double[] turned = ComplexMatrix.product(re[at], im[at], turnRe, turnIm);
      re[at] = turned[0];
      im[at] = at == greatest ? 0 : turned[1];
    }
  }
}
