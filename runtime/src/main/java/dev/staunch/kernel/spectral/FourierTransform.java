package dev.staunch.kernel.spectral;

import java.util.Arrays;

/**
 * The discrete Fourier transform of lines of one length, in place: by halves for powers of two,
 * else as a convolution of such a length (Bluestein). Holds tables and scratch: for one thread.
 */
final class FourierTransform {
  private final int length;
  private final int padded;
  private final double[] cosines;
  private final double[] sines;

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
    this.padded = power ? length : Integer.highestOneBit(2 * length - 1) * 2;
    this.cosines = new double[padded / 2];
    this.sines = new double[padded / 2];
    for (int i = 0; i < padded / 2; i++) {
      cosines[i] = Math.cos(2 * Math.PI * i / padded);
      sines[i] = Math.sin(2 * Math.PI * i / padded);
    }
    int chirp = power ? 0 : length;
    this.chirpRe = new double[chirp];
    this.chirpIm = new double[chirp];
    this.filterRe = new double[power ? 0 : padded];
    this.filterIm = new double[power ? 0 : padded];
    this.workRe = new double[power ? 0 : padded];
    this.workIm = new double[power ? 0 : padded];
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
    if (!power) {
      halves(filterRe, filterIm);
    }
  }

  /** Elements touched by one transform, about. */
  long cost() {
    return (long) padded * (33 - Integer.numberOfLeadingZeros(padded));
  }

  /** Forward; for the inverse swap the two arrays before and after. Not scaled. */
  void transform(double[] re, double[] im) {
    if (padded == length) {
      halves(re, im);
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

  /** Of length {@code padded}, a power of two. */
  private void halves(double[] re, double[] im) {
    for (int i = 1, j = 0; i < padded; i++) {
      int bit = padded >> 1;
      for (; (j & bit) != 0; bit >>= 1) {
        j ^= bit;
      }
      j ^= bit;
      if (i < j) {
        swap(re, i, j);
        swap(im, i, j);
      }
    }
    for (int half = 1; half < padded; half *= 2) {
      int step = padded / (2 * half);
      for (int start = 0; start < padded; start += 2 * half) {
        for (int k = 0; k < half; k++) {
          butterfly(re, im, start + k, start + k + half, k * step);
        }
      }
    }
  }

  private static void swap(double[] values, int i, int j) {
    double held = values[i];
    values[i] = values[j];
    values[j] = held;
  }

  private void butterfly(double[] re, double[] im, int a, int b, int root) {
    double real = re[b] * cosines[root] + im[b] * sines[root];
    double imaginary = im[b] * cosines[root] - re[b] * sines[root];
    re[b] = re[a] - real;
    im[b] = im[a] - imaginary;
    re[a] += real;
    im[a] += imaginary;
  }
}
