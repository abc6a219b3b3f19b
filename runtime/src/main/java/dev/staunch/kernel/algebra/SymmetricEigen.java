package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix. Reflections leave a matrix with one diagonal
 * beside the main one, and rotations (implicit QL) make that diagonal vanish, from its beginning to
 * its end. For one thread.
 */
final class SymmetricEigen {
  private static final int MOST_ROUNDS = 80;
  private static final double ROUNDING = Math.ulp(1.0);

  private final int size;

  /**
   * The leading part is still to be reduced; each row behind it holds the vector of a reflection.
   */
  private final double[] matrix;

  private final CancellationPoll poll;
  private final double[] diagonal;

  /** Beside the diagonal: element {@code i} belongs to rows {@code i} and {@code i + 1}. */
  private final double[] beside;

  /** By row, half the square of the length of the reflection's vector; 0 for none. */
  private final double[] weights;

  /** The rows become the eigenvectors. */
  private final double[] basis;

  private SymmetricEigen(double[] matrix, int size, CancellationPoll poll) {
    this.matrix = matrix;
    this.size = size;
    this.poll = poll;
    this.diagonal = new double[size];
    this.beside = new double[size];
    this.weights = new double[size];
    this.basis = Elimination.identity(size);
  }

  private SymmetricEigen(HermitianReduction reduced, int size, CancellationPoll poll) {
    this.matrix = new double[0];
    this.size = size;
    this.poll = poll;
    this.diagonal = reduced.diagonal();
    this.beside = reduced.beside();
    this.weights = new double[0];
    this.basis = reduced.basis();
  }

  /** The approximate number of steps of a computation. */
  static double cost(double size) {
    return 9 * size * size * size;
  }

  /**
   * Stores the eigenvalues of a symmetric matrix in ascending order, and their eigenvectors as
   * columns. Overwrites the matrix.
   *
   * @param poll says when to stop; the results are then incomplete
   * @return whether the rotations came to an end
   */
  static boolean of(
      double[] matrix, int size, double[] values, double[] vectors, CancellationPoll poll) {
    int exponent = scale(matrix);
    SymmetricEigen eigen = new SymmetricEigen(matrix, size, poll);
    eigen.reduce();
    eigen.collectReflections();
    boolean ended = eigen.rotate();
    int[] order = eigen.store(exponent, values);
    for (int k = 0; k < size && poll.mayContinue(size); k++) {
      for (int i = 0; i < size; i++) {
        vectors[i * size + k] = eigen.basis[order[k] * size + i];
      }
    }
    return ended;
  }

  /**
   * As {@link #of}, for a Hermitian matrix of blocks of reals, whose vectors become the first
   * columns of blocks.
   *
   * @param upper which triangle counts as the one given
   */
  static boolean ofBlocks(
      double[] matrix,
      int size,
      boolean upper,
      double[] values,
      double[] vectors,
      CancellationPoll poll) {
    int exponent = scale(matrix);
    HermitianReduction reduced = new HermitianReduction(matrix, size, upper, poll);
    SymmetricEigen eigen = new SymmetricEigen(reduced, size, poll);
    boolean ended = eigen.rotate();
    int[] order = eigen.store(exponent, values);
    for (int k = 0; k < size && poll.mayContinue(size); k++) {
      int from = order[k] * 2 * size;
      for (int i = 0; i < size; i++) {
        double re = eigen.basis[from + i];
        ComplexMatrix.putBlock(vectors, 2 * size, i, k, re, eigen.basis[from + size + i]);
      }
    }
    return ended;
  }

  /** Divides by a power of 2, whose exponent it returns: no square overflows or vanishes. */
  private static int scale(double[] matrix) {
    double greatest = 0;
    for (double each : matrix) {
      greatest = Math.max(greatest, Math.abs(each));
    }
    int exponent = greatest == 0 ? 0 : Math.getExponent(greatest);
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = Math.scalb(matrix[i], -exponent);
    }
    return exponent;
  }

  private void reduce() {
    double[] product = new double[size];
    for (int i = size - 1; i > 0 && poll.fault() == null; i--) {
      reflect(i, product);
    }
    for (int i = 0; i < size; i++) {
      diagonal[i] = matrix[i * size + i];
    }
  }

  /** Reflects the leading {@code i} rows and columns, so that row {@code i} ends in one element. */
  private void reflect(int i, double[] product) {
    int row = i * size;
    double last = matrix[row + i - 1];
    double squares = 0;
    for (int j = 0; j < i - 1; j++) {
      squares += matrix[row + j] * matrix[row + j];
    }
    if (squares == 0) {
      beside[i - 1] = last;
      return;
    }
    double length = -Math.copySign(Math.sqrt(squares + last * last), last);
    beside[i - 1] = length;
    matrix[row + i - 1] = last - length;
    double weight = length * (length - last);
    weights[i] = weight;
    // The symmetric part A becomes A - v q' - q v' for v in this row, p = A v / weight
    // and q = p - v (v' p) / (2 weight).
    Arrays.fill(product, 0, i, 0);
    for (int j = 0; j < i && poll.mayContinue(i); j++) {
      add(matrix[row + j] / weight, matrix, j * size, product, 0, i);
    }
    double along = 0;
    for (int j = 0; j < i; j++) {
      along += matrix[row + j] * product[j];
    }
    add(-along / (2 * weight), matrix, row, product, 0, i);
    for (int j = 0; j < i && poll.mayContinue(2L * i); j++) {
      add(-product[j], matrix, row, matrix, j * size, i);
      add(-matrix[row + j], product, 0, matrix, j * size, i);
    }
  }

  private static void add(double factor, double[] from, int at, double[] to, int place, int count) {
    for (int j = 0; j < count; j++) {
      to[place + j] += factor * from[at + j];
    }
  }

  /** Applies the reflections, last first, to the unit vectors. */
  private void collectReflections() {
    for (int i = 1; i < size && poll.fault() == null; i++) {
      for (int k = 0; weights[i] != 0 && k < i && poll.mayContinue(2L * i); k++) {
        double sum = 0;
        for (int j = 0; j < i; j++) {
          sum += basis[k * size + j] * matrix[i * size + j];
        }
        add(-sum / weights[i], matrix, i * size, basis, k * size, i);
      }
    }
  }

  private boolean rotate() {
    for (int first = 0; first < size; first++) {
      int rounds = 0;
      for (int end = end(first); end > first; end = end(first)) {
        if (++rounds > MOST_ROUNDS || poll.fault() != null) {
          return false;
        }
        rotate(first, end);
      }
    }
    return true;
  }

  /** The last row of the block of {@code first}: the element beside it is 0, but for rounding. */
  private int end(int first) {
    int end = first;
    while (end < size - 1
        && Math.abs(beside[end])
            > ROUNDING * (Math.abs(diagonal[end]) + Math.abs(diagonal[end + 1]))) {
      end++;
    }
    return end;
  }

  /** A round of rotations, from the last row of a block to its first. */
  private void rotate(int first, int end) {
    double half = (diagonal[first + 1] - diagonal[first]) / 2;
    double root = Math.hypot(half, beside[first]);
    double shift =
        diagonal[first] - beside[first] * (beside[first] / (half + Math.copySign(root, half)));
    double sine = 1;
    double cosine = 1;
    double moved = 0;
    double bulge = diagonal[end] - shift;
    for (int i = end - 1; i >= first && poll.mayContinue(4L * size); i--) {
      double across = sine * beside[i];
      double along = cosine * beside[i];
      double length = Math.hypot(across, bulge);
      beside[i + 1] = length;
      if (length == 0) {
        diagonal[i + 1] -= moved;
        beside[end] = 0;
        return;
      }
      sine = across / length;
      cosine = bulge / length;
      double rest = diagonal[i + 1] - moved;
      double turned = (diagonal[i] - rest) * sine + 2 * cosine * along;
      moved = sine * turned;
      diagonal[i + 1] = rest + moved;
      bulge = cosine * turned - along;
      turn(i, cosine, sine);
    }
    diagonal[first] -= moved;
    beside[first] = bulge;
    beside[end] = 0;
  }

  /** Rotates two adjacent vectors. */
  private void turn(int i, double cosine, double sine) {
    int width = basis.length / size;
    int low = i * width;
    int high = low + width;
    for (int k = 0; k < width; k++) {
      double a = basis[low + k];
      double b = basis[high + k];
      basis[low + k] = cosine * a - sine * b;
      basis[high + k] = sine * a + cosine * b;
    }
  }

  /** Stores the eigenvalues; returns which is the first, the second and so on. */
  private int[] store(int exponent, double[] values) {
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> diagonal[i]))
            .mapToInt(i -> i)
            .toArray();
    for (int k = 0; k < size; k++) {
      values[k] = Math.scalb(diagonal[order[k]], exponent);
    }
    return order;
  }
}
