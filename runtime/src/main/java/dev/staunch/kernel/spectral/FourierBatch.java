package dev.staunch.kernel.spectral;

import dev.staunch.kernel.operand.ComplexOperand;
import dev.staunch.kernel.spectral.FourierLines.Kind;
import dev.staunch.type.DType;
import java.util.Arrays;

/**
 * Lines that are transformed at once, as rows: row {@code i} holds element {@code i} of every line.
 * Lines are brought in and taken out a few at a time. For one thread.
 */
final class FourierBatch {
  /** The most lines at once. */
  static final int LINES = 64;

  /** Lines that are brought in or taken out at once. */
  static final int ABREAST = 4;

  private final int length;
  private final Kind kind;

  /**
   * Whether the lines have a real side; there {@code re} and {@code im} hold every second element
   * each.
   */
  private final boolean real;

  private final RealTransform reals;
  private final FourierRows rows;
  private final double[][] re;
  private final double[][] im;

  /** The results, scaled and rounded, if float32 is asked for. */
  private final float[][] roundedRe;

  private final float[][] roundedIm;

  /** Numbers that a row of reals lacks. */
  private final double[] spare = new double[LINES];

  FourierBatch(int length, Kind kind, boolean real, boolean floats) {
    this.length = length;
    this.kind = kind;
    this.real = real;
    this.reals = new RealTransform(real ? length : 2);
    this.rows = new FourierRows(real ? length / 2 : length);
    int count = real ? length / 2 + 1 : length;
    this.re = new double[count][LINES];
    this.im = new double[count][LINES];
    this.roundedRe = new float[floats ? count : 0][LINES];
    this.roundedIm = new float[floats ? count : 0][LINES];
  }

  /** Whether {@code lines} lines of {@code length} are worth transforming at once. */
  static boolean fits(int length, boolean real, long lines) {
    return lines >= LINES / 2
        && length >= LINES / 4
        && FourierRows.takes(length)
        && (!real || length % 2 == 0);
  }

  /** Whether a line that is brought in alternates between both arrays of rows. */
  private boolean alternatesIn() {
    return real && kind != Kind.FROM_HALF;
  }

  /** The complex numbers, or pairs of reals, of a line that is brought in. */
  private int numbersIn() {
    return kind == Kind.FROM_HALF ? length / 2 + 1 : alternatesIn() ? length / 2 : length;
  }

  /** Brings in {@link #ABREAST} lines, the first of them as number {@code at}. */
  void put(double[][] lineRe, double[][] lineIm, int at) {
    if (alternatesIn()) {
      spread(lineRe, 0, 2, re, at, length / 2);
      spread(lineRe, 1, 2, im, at, length / 2);
    } else {
      spread(lineRe, 0, 1, re, at, numbersIn());
      spread(lineIm, 0, 1, im, at, numbersIn());
    }
  }

  /**
   * As {@link #put(double[][], double[][], int)}, of real lines of float32, or of real and
   * imaginary parts in turn.
   */
  void put(float[][] lines, int at) {
    float[] line0 = lines[0];
    float[] line1 = lines[1];
    float[] line2 = lines[2];
    float[] line3 = lines[3];
    int count = numbersIn();
    for (int i = 0; i < count; i++) {
      double[] rowRe = re[i];
      double[] rowIm = im[i];
      rowRe[at] = line0[2 * i];
      rowIm[at] = line0[2 * i + 1];
      rowRe[at + 1] = line1[2 * i];
      rowIm[at + 1] = line1[2 * i + 1];
      rowRe[at + 2] = line2[2 * i];
      rowIm[at + 2] = line2[2 * i + 1];
      rowRe[at + 3] = line3[2 * i];
      rowIm[at + 3] = line3[2 * i + 1];
    }
  }

  /**
   * Brings in {@code lines} lines that lie beside each other; what they lack in length is 0.
   *
   * @param at where the first one starts, whose elements are {@code step} apart
   */
  void load(ComplexOperand from, long at, long step, int taken, int lines, DType part) {
    int elements = alternatesIn() ? length : numbersIn();
    for (int i = 0; i < elements; i++) {
      double[] rowRe = alternatesIn() ? (i % 2 == 0 ? re : im)[i / 2] : re[i];
      double[] rowIm = alternatesIn() ? spare : im[i];
      if (i < taken) {
        from.load(rowRe, rowIm, at + i * step, 1, lines, part);
      } else {
        Arrays.fill(rowRe, 0);
        Arrays.fill(rowIm, 0);
      }
    }
  }

  /** Scales and writes {@code lines} lines of {@code size} numbers that lie beside each other. */
  void store(ComplexOperand into, long at, long step, int size, int lines, double scale) {
    double[] partRe = new double[lines];
    double[] partIm = new double[lines];
    for (int i = 0; i < size; i++) {
      boolean mirrored = kind == Kind.COMPLEX && i >= re.length;
      int row = mirrored ? length - i : kind == Kind.FROM_HALF ? i / 2 : i;
      double[] rowRe = kind == Kind.FROM_HALF && i % 2 == 1 ? im[row] : re[row];
      for (int l = 0; l < lines; l++) {
        partRe[l] = rowRe[l] * scale;
        partIm[l] = im[row][l] * (mirrored ? -scale : scale);
      }
      into.store(partRe, partIm, at + i * step, 1, lines);
    }
  }

  private static void spread(
      double[][] lines, int first, int step, double[][] rows, int at, int count) {
    double[] line0 = lines[0];
    double[] line1 = lines[1];
    double[] line2 = lines[2];
    double[] line3 = lines[3];
    for (int i = 0; i < count; i++) {
      double[] row = rows[i];
      int from = first + i * step;
      row[at] = line0[from];
      row[at + 1] = line1[from];
      row[at + 2] = line2[from];
      row[at + 3] = line3[from];
    }
  }

  /** Takes out {@link #ABREAST} lines; of real ones, the first half of their spectra. */
  void take(double[][] lineRe, double[][] lineIm, int at) {
    collect(re, lineRe, at);
    collect(im, lineIm, at);
  }

  private static void collect(double[][] rows, double[][] lines, int at) {
    double[] line0 = lines[0];
    double[] line1 = lines[1];
    double[] line2 = lines[2];
    double[] line3 = lines[3];
    for (int i = 0; i < rows.length; i++) {
      double[] row = rows[i];
      line0[i] = row[at];
      line1[i] = row[at + 1];
      line2[i] = row[at + 2];
      line3[i] = row[at + 3];
    }
  }

  /** Scales the results and rounds them to float32, for {@link #pairs}. */
  void round(double scale, int lines) {
    for (int i = 0; i < re.length; i++) {
      round(re[i], scale, roundedRe[i], lines);
      round(im[i], scale, roundedIm[i], lines);
    }
  }

  private static void round(double[] row, double scale, float[] into, int lines) {
    for (int l = 0; l < lines; l++) {
      into[l] = (float) (row[l] * scale);
    }
  }

  /**
   * Takes out {@link #ABREAST} lines that were rounded: real and imaginary parts in turn, with the
   * other half of the spectra of real lines if that is asked for; or the elements of real lines.
   */
  void pairs(float[][] lines, int at) {
    float[] line0 = lines[0];
    float[] line1 = lines[1];
    float[] line2 = lines[2];
    float[] line3 = lines[3];
    int count = kind == Kind.FROM_HALF ? length / 2 : roundedRe.length;
    for (int i = 0; i < count; i++) {
      float[] rowRe = roundedRe[i];
      float[] rowIm = roundedIm[i];
      line0[2 * i] = rowRe[at];
      line0[2 * i + 1] = rowIm[at];
      line1[2 * i] = rowRe[at + 1];
      line1[2 * i + 1] = rowIm[at + 1];
      line2[2 * i] = rowRe[at + 2];
      line2[2 * i + 1] = rowIm[at + 2];
      line3[2 * i] = rowRe[at + 3];
      line3[2 * i + 1] = rowIm[at + 3];
    }
    for (int i = 1; real && kind == Kind.COMPLEX && 2 * i < length; i++) {
      float[] rowRe = roundedRe[i];
      float[] rowIm = roundedIm[i];
      int to = 2 * (length - i);
      line0[to] = rowRe[at];
      line0[to + 1] = -rowIm[at];
      line1[to] = rowRe[at + 1];
      line1[to + 1] = -rowIm[at + 1];
      line2[to] = rowRe[at + 2];
      line2[to + 1] = -rowIm[at + 2];
      line3[to] = rowRe[at + 3];
      line3[to + 1] = -rowIm[at + 3];
    }
  }

  /** Transforms the first {@code lines} lines, without scaling. */
  void run(boolean inverse, int lines) {
    if (!real) {
      rows.transform(inverse ? im : re, inverse ? re : im, lines);
      return;
    }
    if (kind != Kind.FROM_HALF) {
      reals.spectrum(rows, re, im, lines);
    }
    boolean conjugate = inverse == (kind != Kind.FROM_HALF);
    for (int k = 1; conjugate && 2 * k < length; k++) {
      for (int l = 0; l < lines; l++) {
        im[k][l] = -im[k][l];
      }
    }
    if (kind == Kind.FROM_HALF) {
      reals.lines(rows, re, im, lines);
    }
  }
}
