package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Singular values by rotations of pairs of lines, until no rotation is needed any more. */
final class Jacobi {
  private static final int MOST_SWEEPS = 60;
  private static final double SMALL = 1e-15;
  private static final double ROUNDING = Math.ulp(0.5);

  private Jacobi() {}

  /** The approximate number of steps of a computation. */
  static double cost(double size) {
    return 12 * size * size * size;
  }

  /** Rotates two lines of {@code length} elements. */
  private static void rotate(double[] lines, int length, int p, int q, double c, double s) {
    for (int i = 0; i < length; i++) {
      double a = lines[p * length + i];
      double b = lines[q * length + i];
      lines[p * length + i] = c * a - s * b;
      lines[q * length + i] = s * a + c * b;
    }
  }

  /**
   * The singular values of a matrix with no more columns than rows, in descending order, and their
   * vectors: A = U diag(values) V^T.
   *
   * @param lines the matrix column by column; overwritten
   * @param left rows by columns, U
   * @param right columns by columns, V
   * @param poll says when to stop; the results are then incomplete
   */
  static void singular(
      double[] lines,
      int rows,
      int columns,
      double[] left,
      double[] values,
      double[] right,
      CancellationPoll poll) {
    Vectors vectors = singular(lines, 1, rows, columns, values, poll);
    for (int k = 0; k < columns && poll.mayContinue(rows + columns); k++) {
      for (int i = 0; i < rows; i++) {
        left[i * columns + k] = vectors.left[k * rows + i];
      }
      for (int i = 0; i < columns; i++) {
        right[i * columns + k] = vectors.right[k * columns + i];
      }
    }
  }

  /** Singular vectors as lines. */
  record Vectors(double[] left, double[] right) {
    /** Lines of real parts and then imaginary parts, as the columns of a matrix. */
    static ComplexMatrix columns(double[] lines, int rows, int count) {
      ComplexMatrix matrix = ComplexMatrix.zeros(rows, count);
      for (int k = 0; k < count; k++) {
        for (int i = 0; i < rows; i++) {
          matrix.set(i, k, lines[2 * k * rows + i], lines[(2 * k + 1) * rows + i]);
        }
      }
      return matrix;
    }
  }

  /**
   * As {@link #singular(double[], int, int, double[], double[], double[], CancellationPoll)}. With
   * 2 {@code parts}, the matrix is complex, and each line has all real parts and then all imaginary
   * parts; so have the vectors.
   */
  static Vectors singular(
      double[] lines, int parts, int rows, int columns, double[] values, CancellationPoll poll) {
    int length = parts * rows;
    int width = parts * columns;
    double[] basis = new double[columns * width]; // its rows are the vectors
    for (int i = 0; i < columns; i++) {
      basis[i * width + i] = 1;
    }
    Vectors vectors = new Vectors(new double[lines.length], new double[basis.length]);
    orthogonalise(lines, basis, parts, length, columns, poll);
    if (poll.fault() != null) {
      return vectors;
    }
    double[] norms = new double[columns];
    for (int j = 0; j < columns && poll.mayContinue(rows); j++) {
      norms[j] = Math.sqrt(product(lines, length, j, j));
    }
    int[] order =
        IntStream.range(0, columns)
            .boxed()
            .sorted(Comparator.comparingDouble(j -> -norms[j]))
            .mapToInt(j -> j)
            .toArray();
    for (int k = 0; k < columns && poll.mayContinue(rows); k++) {
      values[k] = norms[order[k]];
      System.arraycopy(basis, order[k] * width, vectors.right, k * width, width);
      for (int i = 0; i < length && values[k] != 0; i++) {
        vectors.left[k * length + i] = lines[order[k] * length + i] / values[k];
      }
    }
    complete(vectors.left, parts, length, columns, values, poll);
    return vectors;
  }

  /** Rotates pairs of lines until all are orthogonal to each other, up to rounding. */
  private static void orthogonalise(
      double[] lines, double[] basis, int parts, int length, int count, CancellationPoll poll) {
    double least = Math.max(SMALL, ROUNDING * Math.sqrt(length));
    boolean turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
      turned = false;
      for (int p = 0; p < count; p++) {
        for (int q = p + 1; q < count && poll.mayContinue(2L * length); q++) {
          turned |= orthogonalise(lines, basis, parts, length, parts * count, p, q, least);
        }
      }
      turned &= poll.fault() == null;
    }
  }

  private static boolean orthogonalise(
      double[] lines,
      double[] basis,
      int parts,
      int length,
      int width,
      int p,
      int q,
      double least) {
    double a = product(lines, length, p, p);
    double b = product(lines, length, q, q);
    double d = product(lines, length, p, q);
    double aside = parts == 2 ? crossed(lines, length, p, q) : 0;
    double size = aside == 0 ? Math.abs(d) : Math.hypot(d, aside);
    if (size <= least * Math.sqrt(a * b)) {
      return false;
    }
    if (aside != 0) {
      turn(lines, length, q, d / size, -aside / size);
      turn(basis, width, q, d / size, -aside / size);
      d = size;
    }
    double theta = (b - a) / (2 * d);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    rotate(lines, length, p, q, c, t * c);
    rotate(basis, width, p, q, c, t * c);
    return true;
  }

  /** Multiplies a complex line by a number. */
  private static void turn(double[] lines, int length, int line, double re, double im) {
    int half = length / 2;
    for (int i = line * length; i < line * length + half; i++) {
      double a = lines[i];
      double b = lines[i + half];
      lines[i] = a * re - b * im;
      lines[i + half] = a * im + b * re;
    }
  }

  /** The imaginary part of the product of complex line p, conjugated, and line q. */
  private static double crossed(double[] lines, int length, int p, int q) {
    int half = length / 2;
    double sum = 0;
    for (int i = 0; i < half; i++) {
      sum += lines[p * length + i] * lines[q * length + half + i];
      sum -= lines[p * length + half + i] * lines[q * length + i];
    }
    return sum;
  }

  /** Four sums side by side, which do not wait for each other. */
  private static double product(double[] lines, int length, int p, int q) {
    int first = p * length;
    int second = q * length;
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i < length - 3; i += 4) {
      a += lines[first + i] * lines[second + i];
      b += lines[first + i + 1] * lines[second + i + 1];
      c += lines[first + i + 2] * lines[second + i + 2];
      d += lines[first + i + 3] * lines[second + i + 3];
    }
    for (; i < length; i++) {
      a += lines[first + i] * lines[second + i];
    }
    return a + b + (c + d);
  }

  /**
   * Replaces lines of singular value 0 by lines of length 1 that are orthogonal to all others: the
   * remainders of unit vectors. A unit vector without a remainder for one line has none for later
   * lines.
   */
  private static void complete(
      double[] lines, int parts, int length, int count, double[] values, CancellationPoll poll) {
    int start = 0;
    for (int k = 0; k < count; k++) {
      boolean done = values[k] != 0;
      while (!done && start < length / parts && poll.fault() == null) {
        Arrays.fill(lines, k * length, (k + 1) * length, 0);
        lines[k * length + start] = 1;
        done = freed(lines, parts, length, k, poll);
        start++;
      }
    }
  }

  /**
   * Subtracts from line {@code k} its projections on earlier lines; returns false if little
   * remains.
   */
  private static boolean freed(
      double[] lines, int parts, int length, int k, CancellationPoll poll) {
    for (int twice = 0; twice < 2; twice++) {
      for (int j = 0; j < k && poll.mayContinue(2L * length); j++) {
        double along = product(lines, length, j, k);
        double aside = parts == 2 ? crossed(lines, length, j, k) : 0;
        for (int i = 0; i < length; i++) {
          lines[k * length + i] -= along * lines[j * length + i];
        }
        for (int i = 0; i < length && aside != 0; i++) { // less i times the line
          boolean real = i < length / 2;
          int other = j * length + (real ? i + length / 2 : i - length / 2);
          lines[k * length + i] += (real ? aside : -aside) * lines[other];
        }
      }
    }
    double norm = Math.sqrt(product(lines, length, k, k));
    for (int i = 0; i < length && norm > 0.1; i++) {
      lines[k * length + i] /= norm;
    }
    return norm > 0.1;
  }
}
