package dev.staunch.kernel.algebra;

/** A rotation of two rows or columns: [c s; -conj(s) c] with a real c. */
record Rotation(double c, double re, double im) {

  /** The rotation of rows p and q that makes (q, column) 0. */
  static Rotation clearing(ComplexMatrix matrix, int p, int q, int column) {
    double a = matrix.size(p, column);
    double b = matrix.size(q, column);
    double length = Math.hypot(a, b);
    if (b == 0) {
      return new Rotation(1, 0, 0);
    }
    if (a == 0) {
      return new Rotation(0, matrix.re(q, column) / b, -matrix.im(q, column) / b);
    }
    double[] both =
        ComplexMatrix.product(
            matrix.re(p, column) / a,
            matrix.im(p, column) / a,
            matrix.re(q, column) / length,
            -matrix.im(q, column) / length);
    return new Rotation(a / length, both[0], both[1]);
  }

  void ofRows(ComplexMatrix matrix, int p, int q, int from, int to) {
    for (int j = from; j < to; j++) {
      double[] low = ComplexMatrix.product(re, im, matrix.re(q, j), matrix.im(q, j));
      double[] high = ComplexMatrix.product(re, -im, matrix.re(p, j), matrix.im(p, j));
      double lowRe = c * matrix.re(q, j) - high[0];
      double lowIm = c * matrix.im(q, j) - high[1];
      matrix.set(p, j, c * matrix.re(p, j) + low[0], c * matrix.im(p, j) + low[1]);
      matrix.set(q, j, lowRe, lowIm);
    }
  }

  /** Applies the inverse from the right. */
  void ofColumns(ComplexMatrix matrix, int p, int q, int from, int to) {
    for (int i = from; i < to; i++) {
      double[] right = ComplexMatrix.product(re, -im, matrix.re(i, q), matrix.im(i, q));
      double[] left = ComplexMatrix.product(re, im, matrix.re(i, p), matrix.im(i, p));
      double rightRe = c * matrix.re(i, q) - left[0];
      double rightIm = c * matrix.im(i, q) - left[1];
      matrix.set(i, p, c * matrix.re(i, p) + right[0], c * matrix.im(i, p) + right[1]);
      matrix.set(i, q, rightRe, rightIm);
    }
  }
}
