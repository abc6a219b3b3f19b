package dev.staunch.kernel.algebra;

/** A square matrix of complex numbers, with separate row-major real and imaginary parts. */
record ComplexMatrix(double[] res, double[] ims, int width) {
  double re(int i, int j) {
    return res[i * width + j];
  }

  double im(int i, int j) {
    return ims[i * width + j];
  }

  double size(int i, int j) {
    return Math.hypot(re(i, j), im(i, j));
  }

  void set(int i, int j, double re, double im) {
    res[i * width + j] = re;
    ims[i * width + j] = im;
  }

  void add(int i, int j, double re, double im) {
    res[i * width + j] += re;
    ims[i * width + j] += im;
  }

  static double[] product(double a, double b, double c, double d) {
    return new double[] {a * c - b * d, a * d + b * c};
  }

  /** A quotient; 0 if the divisor is 0. */
  static double[] quotient(double a, double b, double c, double d) {
    double size = Math.hypot(c, d);
    if (size == 0) {
      return new double[2];
    }
    double re = c / size;
    double im = d / size;
    return new double[] {(a * re + b * im) / size, (b * re - a * im) / size};
  }

  static double[] root(double a, double b) {
    double size = Math.hypot(a, b);
    double re = Math.sqrt(Math.max(0, (size + a) / 2));
    double im = Math.sqrt(Math.max(0, (size - a) / 2));
    return new double[] {re, Math.copySign(im, b)};
  }
}
