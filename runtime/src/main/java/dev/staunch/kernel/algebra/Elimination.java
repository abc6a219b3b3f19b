package dev.staunch.kernel.algebra;

import dev.staunch.kernel.CancellationPoll;

/**
 * The factors P A = L U of a matrix, by partial pivoting: the greatest element of a column is its
 * pivot.
 */
final class Elimination {
  private final int size;
  private final int columns;
  private final double[] factors;
  private final int[] order;
  private final double[] pivots;
  private int swaps;
  private int singularAt = -1;

  private Elimination(double[] matrix, int rows, int columns) {
    this.size = rows;
    this.columns = columns;
    this.factors = matrix;
    this.order = new int[rows];
    this.pivots = new double[Math.min(rows, columns)];
    for (int i = 0; i < rows; i++) {
      order[i] = i;
    }
  }

  /** Overwrites {@code matrix}; after a cancellation the factors are meaningless. */
  static Elimination of(double[] matrix, int size, CancellationPoll poll) {
    return of(matrix, size, size, true, poll);
  }

  /**
   * As {@link #of(double[], int, CancellationPoll)}, for any matrix; without {@code pivoting}, rows
   * keep their order. If the matrix is square, the result can solve equations and has a
   * determinant.
   */
  static Elimination of(
      double[] matrix, int rows, int columns, boolean pivoting, CancellationPoll poll) {
    Elimination elimination = new Elimination(matrix, rows, columns);
    for (int k = 0; k < elimination.pivots.length; k++) {
      elimination.eliminate(k, pivoting, poll);
    }
    return elimination;
  }

  private void eliminate(int k, boolean pivoting, CancellationPoll poll) {
    int pivot = k;
    for (int i = k + 1; i < size && pivoting; i++) {
      if (Math.abs(factors[i * columns + k]) > Math.abs(factors[pivot * columns + k])) {
        pivot = i;
      }
    }
    pivots[k] = pivot + 1;
    if (pivot != k) {
      swap(pivot, k);
    }
    double head = factors[k * columns + k];
    if (head == 0) {
      singularAt = singularAt < 0 ? k : singularAt;
      return;
    }
    for (int i = k + 1; i < size && poll.mayContinue(columns - k); i++) {
      double factor = factors[i * columns + k] / head;
      factors[i * columns + k] = factor;
      for (int j = k + 1; j < columns; j++) {
        factors[i * columns + j] -= factor * factors[k * columns + j];
      }
    }
  }

  /** The row that each row was swapped with, in order, counted from 1. */
  double[] pivots() {
    return pivots;
  }

  private void swap(int a, int b) {
    swaps++;
    int held = order[a];
    order[a] = order[b];
    order[b] = held;
    for (int j = 0; j < columns; j++) {
      double value = factors[a * columns + j];
      factors[a * columns + j] = factors[b * columns + j];
      factors[b * columns + j] = value;
    }
  }

  /** The index of the first zero on the diagonal of U; -1 if there is none. */
  int singularAt() {
    return singularAt;
  }

  /** The sign of the determinant: 1, -1 or 0. */
  double sign() {
    double sign = swaps % 2 == 0 ? 1 : -1;
    for (int i = 0; i < size; i++) {
      sign *= Math.signum(factors[i * size + i]);
    }
    return sign;
  }

  double logOfAbsolute() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.log(Math.abs(factors[i * size + i]));
    }
    return sum;
  }

  double determinant() {
    double product = swaps % 2 == 0 ? 1 : -1;
    for (int i = 0; i < size; i++) {
      product *= factors[i * size + i];
    }
    return product;
  }

  /** Solves A X = B for X, which has {@code columns} columns. */
  void solve(double[] right, int columns, double[] solution, CancellationPoll poll) {
    for (int i = 0; i < size; i++) {
      System.arraycopy(right, order[i] * columns, solution, i * columns, columns);
    }
    Triangles.solve(factors, size, false, true, solution, columns, poll);
    Triangles.solve(factors, size, true, false, solution, columns, poll);
  }

  static double[] identity(int size) {
    double[] identity = new double[size * size];
    for (int i = 0; i < size; i++) {
      identity[i * size + i] = 1;
    }
    return identity;
  }
}
