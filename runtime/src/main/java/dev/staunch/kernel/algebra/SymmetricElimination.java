package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/**
 * Elimination that keeps a symmetric matrix symmetric, with pivots of one or two rows, from the
 * lower triangle: Bunch and Kaufman, "Some stable methods for calculating inertia and solving
 * symmetric linear systems", 1977.
 *
 * @param a row-major; only the lower triangle is read and written
 * @param pivots the row exchanged with each, counted from 1; negative, twice, for two rows
 */
record SymmetricElimination(double[] a, double[] pivots, int size) {
  /** The bound of Bunch and Kaufman, which limits the growth of elements. */
  private static final double BOUND = (1 + Math.sqrt(17)) / 8;

  /** Replaces the matrix by its factors; returns the first singular row, or -1. */
  int run(CancellationPoll poll) {
    int singular = -1;
    for (int k = 0; k < size && poll.fault() == null; ) {
      int far = farthest(k);
      double below = far < 0 ? 0 : Math.abs(at(far, k));
      double own = Math.abs(at(k, k));
      if (Math.max(own, below) == 0 || Double.isNaN(own)) {
        singular = singular < 0 ? k : singular;
        pivots[k] = k + 1.0;
        k++;
        continue;
      }
      int width = 1;
      int from = k;
      if (own < BOUND * below) {
        double row = greatest(far, k);
        if (own < BOUND * below * (below / row)) {
          from = far;
          width = Math.abs(at(far, far)) >= BOUND * row ? 1 : 2;
        }
      }
      int to = k + width - 1;
      exchange(k, to, from);
      if (width == 1) {
        eliminate(k, poll);
        pivots[k] = from + 1.0;
      } else {
        eliminateTwo(k, poll);
        pivots[k] = -(from + 1.0);
        pivots[k + 1] = -(from + 1.0);
      }
      k += width;
    }
    return singular;
  }

  private double at(int row, int column) {
    return a[row * size + column];
  }

  private void swap(int i, int j, int k, int l) {
    double held = at(i, j);
    a[i * size + j] = at(k, l);
    a[k * size + l] = held;
  }

  /** The row of the greatest element below the diagonal; -1 if there is none. */
  private int farthest(int k) {
    int best = k + 1 < size ? k + 1 : -1;
    for (int i = k + 2; i < size; i++) {
      best = Math.abs(at(i, k)) > Math.abs(at(best, k)) ? i : best;
    }
    return best;
  }

  /** The greatest element of row {@code i} off the diagonal, among the rows from {@code k} on. */
  private double greatest(int i, int k) {
    double best = 0;
    for (int j = k; j < size; j++) {
      if (j != i) {
        best = Math.max(best, Math.abs(j < i ? at(i, j) : at(j, i)));
      }
    }
    return best;
  }

  /** Exchanges two rows and columns of what is not eliminated yet, which starts at {@code k}. */
  private void exchange(int k, int to, int from) {
    if (to == from) {
      return;
    }
    for (int i = from + 1; i < size; i++) {
      swap(i, to, i, from);
    }
    for (int j = to + 1; j < from; j++) {
      swap(j, to, from, j);
    }
    swap(to, to, from, from);
    if (to > k) {
      swap(to, k, from, k);
    }
  }

  private void eliminate(int k, CancellationPoll poll) {
    double pivot = at(k, k);
    for (int i = size - 1; i > k && poll.mayContinue(i - k); i--) {
      double factor = at(i, k) / pivot;
      for (int j = k + 1; j <= i; j++) {
        a[i * size + j] -= factor * at(j, k);
      }
      a[i * size + k] = factor;
    }
  }

  private void eliminateTwo(int k, CancellationPoll poll) {
    double off = at(k + 1, k);
    double first = at(k + 1, k + 1) / off;
    double second = at(k, k) / off;
    double scale = 1 / (first * second - 1) / off;
    for (int i = size - 1; i > k + 1 && poll.mayContinue(i - k); i--) {
      double left = scale * (first * at(i, k) - at(i, k + 1));
      double right = scale * (second * at(i, k + 1) - at(i, k));
      for (int j = k + 2; j <= i; j++) {
        a[i * size + j] -= left * at(j, k) + right * at(j, k + 1);
      }
      a[i * size + k] = left;
      a[i * size + k + 1] = right;
    }
  }

  /** Solves for the columns of {@code b}, in place. */
  void solve(double[] b, int columns, CancellationPoll poll) {
    for (int k = 0; k < size && poll.mayContinue((long) (size - k) * columns); ) {
      int width = pivots[k] > 0 ? 1 : 2;
      int next = k + width;
      exchangeRows(b, columns, next - 1, (int) Math.abs(pivots[k]) - 1);
      for (int c = 0; c < columns; c++) {
        for (int i = next; i < size; i++) {
          for (int j = k; j < next; j++) {
            b[i * columns + c] -= at(i, j) * b[j * columns + c];
          }
        }
        divide(b, columns, k, width, c);
      }
      k = next;
    }
    for (int k = size - 1; k >= 0 && poll.mayContinue((long) (size - k) * columns); ) {
      int width = pivots[k] > 0 ? 1 : 2;
      for (int c = 0; c < columns; c++) {
        for (int j = k; j > k - width; j--) {
          for (int i = k + 1; i < size; i++) {
            b[j * columns + c] -= at(i, j) * b[i * columns + c];
          }
        }
      }
      exchangeRows(b, columns, k, (int) Math.abs(pivots[k]) - 1);
      k -= width;
    }
  }

  private void divide(double[] b, int columns, int k, int width, int c) {
    int one = k * columns + c;
    if (width == 1) {
      b[one] /= at(k, k);
      return;
    }
    int two = one + columns;
    double off = at(k + 1, k);
    double first = at(k, k) / off;
    double second = at(k + 1, k + 1) / off;
    double determinant = first * second - 1;
    double x = b[one] / off;
    double y = b[two] / off;
    b[one] = (second * x - y) / determinant;
    b[two] = (first * y - x) / determinant;
  }

  private static void exchangeRows(double[] b, int columns, int i, int j) {
    for (int c = 0; i != j && c < columns; c++) {
      double held = b[i * columns + c];
      b[i * columns + c] = b[j * columns + c];
      b[j * columns + c] = held;
    }
  }
}
