package dev.staunch.kernel.spectral;

/**
 * The transform of many lines at once, to the bit that of {@link FourierTransform}. A row holds one
 * element of every line, so that C2 vectorises the loops over rows, and no root is read twice. For
 * lengths that are powers of two.
 */
final class FourierRows {
  private final FourierTransform transform;

  FourierRows(FourierTransform transform) {
    this.transform = transform;
  }

  /** The forward transform, not scaled. Rows change places. */
  void transform(double[][] re, double[][] im, int lines) {
    int length = transform.padded();
    for (int i = 0; i < length; i++) {
      int j = transform.reversed(i);
      if (i < j) {
        swap(re, i, j);
        swap(im, i, j);
      }
    }
    int half = 1;
    if (Integer.numberOfTrailingZeros(length) % 2 == 1) {
      for (int i = 0; i < length; i += 2) {
        butterfly(re[i], im[i], re[i + 1], im[i + 1], lines);
      }
      half = 2;
    }
    for (int at = 0; half < length; half *= 4) {
      for (int start = 0; start < length; start += 4 * half) {
        for (int k = 0; k < half; k++) {
          fours(re, im, start + k, half, at + FourierTransform.ROOTS * k, lines);
        }
      }
      at += FourierTransform.ROOTS * half;
    }
  }

  private static void swap(double[][] rows, int i, int j) {
    double[] held = rows[i];
    rows[i] = rows[j];
    rows[j] = held;
  }

  private static void butterfly(double[] reA, double[] imA, double[] reB, double[] imB, int lines) {
    for (int l = 0; l < lines; l++) {
      double real = reB[l];
      double imaginary = imB[l];
      reB[l] = reA[l] - real;
      imB[l] = imA[l] - imaginary;
      reA[l] += real;
      imA[l] += imaginary;
    }
  }

  /** Two steps at once, as in {@link FourierTransform}. */
  private void fours(double[][] re, double[][] im, int a, int half, int at, int lines) {
    double[] table = transform.table();
    int b = a + half;
    int c = b + half;
    int d = c + half;
    turned(re[a], im[a], re[b], im[b], table[at], table[at + 1], lines);
    turned(re[c], im[c], re[d], im[d], table[at], table[at + 1], lines);
    turned(re[a], im[a], re[c], im[c], table[at + 2], table[at + 3], lines);
    turned(re[b], im[b], re[d], im[d], table[at + 4], table[at + 5], lines);
  }

  /** Turns the second row by a root before the step from one to two elements. */
  private static void turned(
      double[] reA,
      double[] imA,
      double[] reB,
      double[] imB,
      double cosine,
      double sine,
      int lines) {
    for (int l = 0; l < lines; l++) {
      double real = reB[l] * cosine + imB[l] * sine;
      double imaginary = imB[l] * cosine - reB[l] * sine;
      reB[l] = reA[l] - real;
      imB[l] = imA[l] - imaginary;
      reA[l] += real;
      imA[l] += imaginary;
    }
  }
}
