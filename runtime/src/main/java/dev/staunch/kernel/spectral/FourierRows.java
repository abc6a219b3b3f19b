package dev.staunch.kernel.spectral;

import java.util.Arrays;

/**
 * The transform of many lines at once. A row holds one element of every line, so that C2 vectorises
 * the loops over rows, and no root is read twice. For lengths up to 2,048 with no factor above 7;
 * those of a power of two are transformed by repeated halving, to the bit as by {@link
 * FourierTransform}.
 *
 * <p>For other lengths, each odd factor first splits a line into as many parts, which are
 * transformed like lines; element {@code k} of the result is in part {@code k % factor}.
 */
final class FourierRows {
  /** Rows of longer lines do not stay in a cache. */
  private static final int LONGEST = 2048;

  private static final int GREATEST_FACTOR = 7;

  private final int length;

  /** Odd factors, the first of which splits whole lines. */
  private final int[] factors;

  /** Of the parts that are left, which have a power of two of elements. */
  private final FourierRoots roots;

  /** Cosines and sines of the multiples of a turn divided by the length. */
  private final double[] cosines;

  private final double[] sines;

  /** The row in which each element of the result is at the end; none for a power of two. */
  private final int[] order;

  /**
   * @param length one that this class {@link #takes}
   */
  FourierRows(int length) {
    this.length = length;
    int power = Integer.lowestOneBit(length);
    this.roots = new FourierRoots(power);
    this.factors = oddFactors(length);
    boolean mixed = factors.length > 0;
    this.cosines = new double[mixed ? length : 0];
    this.sines = new double[cosines.length];
    this.order = new int[cosines.length];
    for (int i = 0; i < cosines.length; i++) {
      double angle = 2 * Math.PI * i / length;
      cosines[i] = Math.cos(angle);
      sines[i] = Math.sin(angle);
      order[i] = place(i);
    }
  }

  /** Whether this class transforms lines of {@code length}. */
  static boolean takes(int length) {
    int rest = length;
    for (int factor = 2; factor <= GREATEST_FACTOR; factor++) {
      while (rest % factor == 0) {
        rest /= factor;
      }
    }
    return length <= LONGEST && rest == 1;
  }

  private static int[] oddFactors(int length) {
    int rest = length / Integer.lowestOneBit(length);
    int[] factors = new int[Integer.SIZE];
    int count = 0;
    for (int factor = 3; factor <= GREATEST_FACTOR; factor += 2) {
      while (rest % factor == 0) {
        factors[count++] = factor;
        rest /= factor;
      }
    }
    return Arrays.copyOf(factors, count);
  }

  private int place(int element) {
    int rest = element;
    int part = length;
    int start = 0;
    for (int factor : factors) {
      part /= factor;
      start += part * (rest % factor);
      rest /= factor;
    }
    return start + rest;
  }

  /** As {@link #transform(double[][], double[][], int)}, of one line. */
  void transform(double[] re, double[] im) {
    double[][] rowsRe = new double[length][1];
    double[][] rowsIm = new double[length][1];
    for (int i = 0; i < length; i++) {
      rowsRe[i][0] = re[i];
      rowsIm[i][0] = im[i];
    }
    transform(rowsRe, rowsIm, 1);
    for (int i = 0; i < length; i++) {
      re[i] = rowsRe[i][0];
      im[i] = rowsIm[i][0];
    }
  }

  /** The forward transform, not scaled. Rows change places. */
  void transform(double[][] re, double[][] im, int lines) {
    if (factors.length == 0) {
      halves(re, im, lines);
      return;
    }
    int size = length;
    for (int factor : factors) {
      int part = size / factor;
      OddFactor split = new OddFactor(factor, lines);
      for (int start = 0; start < length; start += size) {
        for (int i = 0; i < part; i++) {
          split.run(re, im, start + i, part, cosines, sines, i * (length / size));
        }
      }
      size = part;
    }
    double[][] partRe = new double[size][];
    double[][] partIm = new double[size][];
    for (int start = 0; start < length && size > 1; start += size) {
      System.arraycopy(re, start, partRe, 0, size);
      System.arraycopy(im, start, partIm, 0, size);
      halves(partRe, partIm, lines);
      System.arraycopy(partRe, 0, re, start, size);
      System.arraycopy(partIm, 0, im, start, size);
    }
    arrange(re);
    arrange(im);
  }

  private void arrange(double[][] rows) {
    double[][] all = Arrays.copyOf(rows, length);
    for (int k = 0; k < length; k++) {
      rows[k] = all[order[k]];
    }
  }

  /** Transforms a power of two of rows. */
  private void halves(double[][] re, double[][] im, int lines) {
    int count = roots.length();
    for (int i = 0; i < count; i++) {
      int j = roots.reversed(i);
      if (i < j) {
        swap(re, i, j);
        swap(im, i, j);
      }
    }
    int half = 1;
    if (Integer.numberOfTrailingZeros(count) % 2 == 1) {
      for (int i = 0; i < count; i += 2) {
        butterfly(re[i], im[i], re[i + 1], im[i + 1], lines);
      }
      half = 2;
    }
    for (int at = 0; half < count; half *= 4) {
      for (int start = 0; start < count; start += 4 * half) {
        for (int k = 0; k < half; k++) {
          fours(re, im, start + k, half, at + FourierRoots.ROOTS * k, lines);
        }
      }
      at += FourierRoots.ROOTS * half;
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
    double[] table = roots.table();
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
