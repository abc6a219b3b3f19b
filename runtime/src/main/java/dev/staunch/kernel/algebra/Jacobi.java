package dev.staunch.kernel.algebra;

import dev.staunch.kernel.Lookout;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Eigenvalues and singular values by rotations of pairs, until there is nothing left to turn. */
final class Jacobi {
  private static final int MOST_SWEEPS = 60;
  private static final double SMALL = 1e-15;

  private Jacobi() {}

  /** Steps of a computation, about. */
  static double cost(double size) {
    return 12 * size * size * size;
  }

  /** The eigenvalues of a symmetric matrix, rising, and as columns their vectors. Overwrites it. */
  static void eigen(double[] matrix, int size, double[] values, double[] vectors) {
    double[] basis = Elimination.identity(size);
    for (int sweep = 0; sweep < MOST_SWEEPS && rest(matrix, size) > 0; sweep++) {
      for (int p = 0; p < size; p++) {
        for (int q = p + 1; q < size; q++) {
          turn(matrix, basis, size, p, q);
        }
      }
    }
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> matrix[i * size + i]))
            .mapToInt(i -> i)
            .toArray();
    for (int k = 0; k < size; k++) {
      values[k] = matrix[order[k] * size + order[k]];
      for (int i = 0; i < size; i++) {
        vectors[i * size + k] = basis[i * size + order[k]];
      }
    }
  }

  private static double rest(double[] matrix, int size) {
    double off = 0;
    double all = 0;
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double square = matrix[i * size + j] * matrix[i * size + j];
        all += square;
        off += i == j ? 0 : square;
      }
    }
    return off <= SMALL * SMALL * all ? 0 : off;
  }

  private static void turn(double[] matrix, double[] basis, int size, int p, int q) {
    double apq = matrix[p * size + q];
    if (apq == 0) {
      return;
    }
    double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * apq);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    double s = t * c;
    rotateColumns(matrix, size, size, p, q, c, s);
    for (int j = 0; j < size; j++) {
      double a = matrix[p * size + j];
      double b = matrix[q * size + j];
      matrix[p * size + j] = c * a - s * b;
      matrix[q * size + j] = s * a + c * b;
    }
    matrix[p * size + q] = 0;
    matrix[q * size + p] = 0;
    rotateColumns(basis, size, size, p, q, c, s);
  }

  private static void rotateColumns(
      double[] matrix, int rows, int columns, int p, int q, double c, double s) {
    for (int i = 0; i < rows; i++) {
      double a = matrix[i * columns + p];
      double b = matrix[i * columns + q];
      matrix[i * columns + p] = c * a - s * b;
      matrix[i * columns + q] = s * a + c * b;
    }
  }

  /**
   * The singular values of a matrix with no more columns than rows, falling, and their vectors: A =
   * U diag(values) V^T.
   *
   * @param matrix is overwritten
   * @param left rows by columns, U
   * @param right columns by columns, V
   * @param lookout says when to stop, which leaves the results as they are then
   */
  static void singular(
      double[] matrix,
      int rows,
      int columns,
      double[] left,
      double[] values,
      double[] right,
      Lookout lookout) {
    double[] basis = Elimination.identity(columns);
    boolean turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
      turned = false;
      for (int p = 0; p < columns; p++) {
        for (int q = p + 1; q < columns && lookout.goesOn(rows); q++) {
          turned |= orthogonalise(matrix, basis, rows, columns, p, q);
        }
      }
      turned &= lookout.fault() == null;
    }
    double[] norms = new double[columns];
    for (int j = 0; j < columns; j++) {
      norms[j] = Math.sqrt(product(matrix, rows, columns, j, j));
    }
    int[] order =
        IntStream.range(0, columns)
            .boxed()
            .sorted(Comparator.comparingDouble(j -> -norms[j]))
            .mapToInt(j -> j)
            .toArray();
    for (int k = 0; k < columns; k++) {
      values[k] = norms[order[k]];
      for (int i = 0; i < columns; i++) {
        right[i * columns + k] = basis[i * columns + order[k]];
      }
      for (int i = 0; i < rows; i++) {
        double value = matrix[i * columns + order[k]];
        left[i * columns + k] = values[k] == 0 ? 0 : value / values[k];
      }
    }
    complete(left, rows, columns, values, lookout);
  }

  private static boolean orthogonalise(
      double[] matrix, double[] basis, int rows, int columns, int p, int q) {
    double a = product(matrix, rows, columns, p, p);
    double b = product(matrix, rows, columns, q, q);
    double d = product(matrix, rows, columns, p, q);
    if (Math.abs(d) <= SMALL * Math.sqrt(a * b)) {
      return false;
    }
    double theta = (b - a) / (2 * d);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    rotateColumns(matrix, rows, columns, p, q, c, t * c);
    rotateColumns(basis, columns, columns, p, q, c, t * c);
    return true;
  }

  private static double product(double[] matrix, int rows, int columns, int p, int q) {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += matrix[i * columns + p] * matrix[i * columns + q];
    }
    return sum;
  }

  /**
   * Makes columns of singular value 0 orthogonal to the others, of length 1: what is left of unit
   * vectors. One of which nothing was left for a column has nothing for later ones.
   */
  private static void complete(
      double[] left, int rows, int columns, double[] values, Lookout lookout) {
    int start = 0;
    for (int k = 0; k < columns; k++) {
      boolean done = values[k] != 0;
      while (!done && start < rows && lookout.goesOn((long) rows * (k + 1))) {
        for (int i = 0; i < rows; i++) {
          left[i * columns + k] = i == start ? 1 : 0;
        }
        done = freed(left, rows, columns, k);
        start++;
      }
    }
  }

  /** Takes from column {@code k} its parts along those before; false if nothing much is left. */
  private static boolean freed(double[] left, int rows, int columns, int k) {
    for (int twice = 0; twice < 2; twice++) {
      for (int j = 0; j < k; j++) {
        double along = product(left, rows, columns, j, k);
        for (int i = 0; i < rows; i++) {
          left[i * columns + k] -= along * left[i * columns + j];
        }
      }
    }
    double norm = Math.sqrt(product(left, rows, columns, k, k));
    for (int i = 0; i < rows && norm > 0.1; i++) {
      left[i * columns + k] /= norm;
    }
    return norm > 0.1;
  }
}
