package dev.staunch.kernel.spectral;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The discrete Fourier transform of lines of one length, in place: by repeated halving for powers
 * of two, as a single {@linkplain FourierRows row} for other lengths of small factors, else a
 * convolution of a power of two (Bluestein). Holds tables and scratch memory: for one thread.
 */
final class FourierTransform {
  private final int length;
  private final int padded;

  private final FourierRoots roots;

  /** For lengths of small factors; then nothing that follows is used. */
  private final @Nullable FourierRows rows;

  /** The chirp of Bluestein's algorithm and the transform of its conjugate; empty if not needed. */
  private final double[] chirpRe;

  private final double[] chirpIm;
  private final double[] filterRe;
  private final double[] filterIm;
  private final double[] workRe;
  private final double[] workIm;

  FourierTransform(int length) {
    this.length = length;
    boolean power = Integer.bitCount(length) == 1;
    this.rows = !power && FourierRows.takes(length) ? new FourierRows(length) : null;
    this.padded = power ? length : rows != null ? 1 : Integer.highestOneBit(2 * length - 1) * 2;
    this.roots = new FourierRoots(padded);
    boolean direct = power || rows != null;
    int chirp = direct ? 0 : length;
    this.chirpRe = new double[chirp];
    this.chirpIm = new double[chirp];
    this.filterRe = new double[direct ? 0 : padded];
    this.filterIm = new double[direct ? 0 : padded];
    this.workRe = new double[direct ? 0 : padded];
    this.workIm = new double[direct ? 0 : padded];
    for (int i = 0; i < chirp; i++) {
      // the square modulo twice the length keeps the angle exact
      double angle = Math.PI * ((long) i * i % (2L * length)) / length;
      chirpRe[i] = Math.cos(angle);
      chirpIm[i] = -Math.sin(angle);
      filterRe[i] = chirpRe[i];
      filterIm[i] = -chirpIm[i];
      if (i > 0) {
        filterRe[padded - i] = chirpRe[i];
        filterIm[padded - i] = -chirpIm[i];
      }
    }
    if (!direct) {
      halves(filterRe, filterIm);
    }
  }

  /** The approximate number of elements that one transform touches. */
  long cost() {
    int elements = Math.max(length, padded);
    return (long) elements * (33 - Integer.numberOfLeadingZeros(elements));
  }

  /** The forward transform, not scaled; for the inverse, swap the two arrays before and after. */
  void transform(double[] re, double[] im) {
    if (padded == length) {
      halves(re, im);
      return;
    }
    if (rows != null) {
      rows.transform(re, im);
      return;
    }
    Arrays.fill(workRe, 0);
    Arrays.fill(workIm, 0);
    for (int i = 0; i < length; i++) {
      workRe[i] = re[i] * chirpRe[i] - im[i] * chirpIm[i];
      workIm[i] = re[i] * chirpIm[i] + im[i] * chirpRe[i];
    }
    halves(workRe, workIm);
    for (int i = 0; i < padded; i++) {
      double real = workRe[i] * filterRe[i] - workIm[i] * filterIm[i];
      workIm[i] = workRe[i] * filterIm[i] + workIm[i] * filterRe[i];
      workRe[i] = real;
    }
    halves(workIm, workRe); // inverse
    for (int i = 0; i < length; i++) {
      double real = workRe[i] / padded;
      double imaginary = workIm[i] / padded;
      re[i] = real * chirpRe[i] - imaginary * chirpIm[i];
      im[i] = real * chirpIm[i] + imaginary * chirpRe[i];
    }
  }

  /** Transforms {@code padded} elements, a power of two. */
  private void halves(double[] re, double[] im) {
    for (int i = 0; i < padded; i++) {
      int j = roots.reversed(i);
      if (i < j) {
        swap(re, i, j);
        swap(im, i, j);
      }
    }
    int half = 1;
    if (Integer.numberOfTrailingZeros(padded) % 2 == 1) {
      for (int i = 0; i < padded; i += 2) {
        butterfly(re, im, i, i + 1);
      }
      half = 2;
    }
    for (int at = 0; half < padded; half *= 4) {
      for (int start = 0; start < padded; start += 4 * half) {
        fours(re, im, start, half, at);
      }
      at += FourierRoots.ROOTS * half;
    }
  }

  private static void swap(double[] values, int i, int j) {
    double held = values[i];
    values[i] = values[j];
    values[j] = held;
  }

  /** The step from one to two elements, whose root is 1. */
  private static void butterfly(double[] re, double[] im, int a, int b) {
    double real = re[b];
    double imaginary = im[b];
    re[b] = re[a] - real;
    im[b] = im[a] - imaginary;
    re[a] += real;
    im[a] += imaginary;
  }

  /**
   * Two steps at once, from {@code half} elements to four times as many, so that elements common to
   * both are read and written once.
   */
  private void fours(double[] re, double[] im, int start, int half, int first) {
    double[] table = roots.table();
    int at = first;
    for (int a = start; a < start + half; a++) {
      int b = a + half;
      int c = b + half;
      int d = c + half;
      double cosine = table[at];
      double sine = table[at + 1];
      double realB = re[b] * cosine + im[b] * sine;
      double imaginaryB = im[b] * cosine - re[b] * sine;
      double realD = re[d] * cosine + im[d] * sine;
      double imaginaryD = im[d] * cosine - re[d] * sine;
      double firstRe = re[a] + realB;
      double firstIm = im[a] + imaginaryB;
      double secondRe = re[a] - realB;
      double secondIm = im[a] - imaginaryB;
      double thirdRe = re[c] + realD;
      double thirdIm = im[c] + imaginaryD;
      double fourthRe = re[c] - realD;
      double fourthIm = im[c] - imaginaryD;
      cosine = table[at + 2];
      sine = table[at + 3];
      double realC = thirdRe * cosine + thirdIm * sine;
      double imaginaryC = thirdIm * cosine - thirdRe * sine;
      re[a] = firstRe + realC;
      im[a] = firstIm + imaginaryC;
      re[c] = firstRe - realC;
      im[c] = firstIm - imaginaryC;
      cosine = table[at + 4];
      sine = table[at + 5];
      double realE = fourthRe * cosine + fourthIm * sine;
      double imaginaryE = fourthIm * cosine - fourthRe * sine;
      re[b] = secondRe + realE;
      im[b] = secondIm + imaginaryE;
      re[d] = secondRe - realE;
      im[d] = secondIm - imaginaryE;
      at += FourierRoots.ROOTS;
    }
  }
}
