package dev.staunch.kernel.spectral;

import java.util.Arrays;

/**
 * A step of a transform of rows, from a few rows to as many: each result is the sum of all of them,
 * turned. Rows with the same distance to both ends turn in opposite directions, so their sums and
 * differences are formed once.
 */
final class OddFactor {
  private final int factor;
  private final int lines;

  /** Sums and differences of rows: real parts, then imaginary ones. */
  private final double[][] sums;

  private final double[][] differences;
  private final double[] evenRe;
  private final double[] evenIm;
  private final double[] oddRe;
  private final double[] oddIm;

  OddFactor(int factor, int lines) {
    this.factor = factor;
    this.lines = lines;
    this.sums = new double[factor - 1][lines];
    this.differences = new double[factor - 1][lines];
    this.evenRe = new double[lines];
    this.evenIm = new double[lines];
    this.oddRe = new double[lines];
    this.oddIm = new double[lines];
  }

  /**
   * Replaces the rows {@code first}, {@code first + part} and so on.
   *
   * @param cosines of the multiples of a turn divided by their number, as {@code sines}
   * @param turn the multiple by which result 1 is turned at the end; result 2 by twice as much
   */
  void run(
      double[][] re,
      double[][] im,
      int first,
      int part,
      double[] cosines,
      double[] sines,
      int turn) {
    int pairs = factor / 2;
    int unit = cosines.length / factor;
    for (int t = 1; t <= pairs; t++) {
      int a = first + t * part;
      int b = first + (factor - t) * part;
      split(re[a], re[b], sums[t - 1], differences[t - 1]);
      split(im[a], im[b], sums[pairs + t - 1], differences[pairs + t - 1]);
    }
    for (int u = 1; u <= pairs; u++) {
      System.arraycopy(re[first], 0, evenRe, 0, lines);
      System.arraycopy(im[first], 0, evenIm, 0, lines);
      Arrays.fill(oddRe, 0);
      Arrays.fill(oddIm, 0);
      for (int t = 1; t <= pairs; t++) {
        int angle = t * u % factor * unit;
        add(evenRe, sums[t - 1], cosines[angle]);
        add(evenIm, sums[pairs + t - 1], cosines[angle]);
        add(oddRe, differences[t - 1], sines[angle]);
        add(oddIm, differences[pairs + t - 1], sines[angle]);
      }
      int v = factor - u;
      int angleU = u * turn;
      int angleV = v * turn;
      turned(1, cosines[angleU], sines[angleU], re[first + u * part], im[first + u * part]);
      turned(-1, cosines[angleV], sines[angleV], re[first + v * part], im[first + v * part]);
    }
    for (int t = 0; t < pairs; t++) {
      add(re[first], sums[t], 1);
      add(im[first], sums[pairs + t], 1);
    }
  }

  private void split(double[] a, double[] b, double[] sum, double[] difference) {
    for (int l = 0; l < lines; l++) {
      sum[l] = a[l] + b[l];
      difference[l] = a[l] - b[l];
    }
  }

  private void add(double[] to, double[] row, double factor) {
    for (int l = 0; l < lines; l++) {
      to[l] += row[l] * factor;
    }
  }

  /** Writes the even part less {@code sign * i} times the odd one, turned backwards. */
  private void turned(double sign, double cosine, double sine, double[] re, double[] im) {
    for (int l = 0; l < lines; l++) {
      double real = evenRe[l] + sign * oddIm[l];
      double imaginary = evenIm[l] - sign * oddRe[l];
      re[l] = real * cosine + imaginary * sine;
      im[l] = imaginary * cosine - real * sine;
    }
  }
}
