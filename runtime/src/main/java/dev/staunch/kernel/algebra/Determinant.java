package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/**
 * A determinant as its two parts, and as a logarithm of its size and a sign: a number of size 1, or
 * 0.
 */
record Determinant(double re, double im, double signRe, double signIm, double logOfAbsolute) {
  static Determinant of(Elimination factors) {
    return new Determinant(factors.determinant(), 0, factors.sign(), 0, factors.logOfAbsolute());
  }

  /** Overwrites {@code matrix}; after a cancellation the determinant is meaningless. */
  static Determinant of(ComplexMatrix matrix, CancellationPoll poll) {
    double[] product = {1, 0};
    double[] sign = {1, 0};
    double log = 0;
    for (int k = 0; k < matrix.width(); k++) {
      int pivot = k;
      for (int i = k + 1; i < matrix.width(); i++) {
        pivot = matrix.size(i, k) > matrix.size(pivot, k) ? i : pivot;
      }
      double size = matrix.size(pivot, k);
      double turn = size == 0 ? 0 : (pivot == k ? 1 : -1) / size;
      double re = matrix.re(pivot, k);
      double im = matrix.im(pivot, k);
      product = ComplexMatrix.product(product[0], product[1], re, im);
      if (pivot != k) {
        product = new double[] {-product[0], -product[1]};
      }
      sign = ComplexMatrix.product(sign[0], sign[1], re * turn, im * turn);
      log += Math.log(size);
      matrix.swap(pivot, k);
      for (int i = k + 1; size != 0 && i < matrix.width(); i++) {
        if (!poll.mayContinue(4L * (matrix.width() - k))) {
          break;
        }
        double[] factor = ComplexMatrix.quotient(matrix.re(i, k), matrix.im(i, k), re, im);
        matrix.addRow(i, -factor[0], -factor[1], k, k + 1);
      }
    }
    return new Determinant(product[0], product[1], sign[0], sign[1], log);
  }

  /** Writes the determinant, of which an array of length 1 takes the real part. */
  void value(double[] out) {
    put(out, re, im);
  }

  /** As {@link #value}, for the sign. */
  void sign(double[] out) {
    put(out, signRe, signIm);
  }

  private static void put(double[] out, double re, double im) {
    out[0] = re;
    if (out.length > 1) {
      out[1] = im;
    }
  }
}
