package dev.staunch.kernel.algebra;

/** A matrix of complex numbers, with separate row-major real and imaginary parts. */
record ComplexMatrix(double[] res, double[] ims, int width) {
  static ComplexMatrix zeros(int rows, int width) {
    return new ComplexMatrix(new double[rows * width], new double[rows * width], width);
  }

  /** The square matrix of these blocks of reals; {@link Matrices} describes them. */
  static ComplexMatrix ofBlocks(double[] blocks, int width) {
    return ofBlocks(blocks, width, width);
  }

  /** The matrix of these blocks of reals. */
  static ComplexMatrix ofBlocks(double[] blocks, int rows, int width) {
    ComplexMatrix matrix = zeros(rows, width);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < width; j++) {
        int at = 2 * i * 2 * width + 2 * j;
        matrix.set(i, j, blocks[at], blocks[at + 2 * width]);
      }
    }
    return matrix;
  }

  void conjugate() {
    for (int i = 0; i < ims.length; i++) {
      ims[i] = -ims[i];
    }
  }

  /** Writes all elements as blocks of reals. */
  void putBlocks(double[] blocks) {
    for (int at = 0; at < res.length; at++) {
      putBlock(blocks, 2 * width, at / width, at % width, res[at], ims[at]);
    }
  }

  /** Writes a number as a block of reals, into rows of {@code columns} reals. */
  static void putBlock(double[] blocks, int columns, int i, int j, double re, double im) {
    int at = 2 * i * columns + 2 * j;
    blocks[at] = re;
    blocks[at + 1] = -im;
    blocks[at + columns] = im;
    blocks[at + columns + 1] = re;
  }

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

  void swap(int a, int b) {
    for (double[] part : new double[][] {res, ims}) {
      for (int j = 0; a != b && j < width; j++) {
        double held = part[a * width + j];
        part[a * width + j] = part[b * width + j];
        part[b * width + j] = held;
      }
    }
  }

  /** Adds row {@code from} times a number to row {@code to}, from column {@code first} on. */
  void addRow(int to, double re, double im, int from, int first) {
    for (int j = first; j < width; j++) {
      double a = res[from * width + j];
      double b = ims[from * width + j];
      add(to, j, a * re - b * im, a * im + b * re);
    }
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
