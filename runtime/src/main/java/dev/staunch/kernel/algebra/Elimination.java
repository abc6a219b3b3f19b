package dev.staunch.kernel.algebra;

import dev.staunch.kernel.Lookout;

/** The factors P A = L U of a square matrix, with the greatest element of a column as its pivot. */
final class Elimination {
  private final int size;
  private final double[] factors;
  private final int[] order;
  private int swaps;
  private int singularAt = -1;

  private Elimination(double[] matrix, int size) {
    this.size = size;
    this.factors = matrix;
    this.order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
  }

  /** Overwrites {@code matrix}; once the lookout has stopped, the factors are of no use. */
  static Elimination of(double[] matrix, int size, Lookout lookout) {
    Elimination elimination = new Elimination(matrix, size);
    for (int k = 0; k < size; k++) {
      elimination.eliminate(k, lookout);
    }
    return elimination;
  }

  private void eliminate(int k, Lookout lookout) {
    int pivot = k;
    for (int i = k + 1; i < size; i++) {
      if (Math.abs(factors[i * size + k]) > Math.abs(factors[pivot * size + k])) {
        pivot = i;
      }
    }
    if (pivot != k) {
      swap(pivot, k);
    }
    double head = factors[k * size + k];
    if (head == 0) {
      singularAt = singularAt < 0 ? k : singularAt;
      return;
    }
    for (int i = k + 1; i < size && lookout.goesOn(size - k); i++) {
      double factor = factors[i * size + k] / head;
      factors[i * size + k] = factor;
      for (int j = k + 1; j < size && factor != 0; j++) {
        factors[i * size + j] -= factor * factors[k * size + j];
      }
    }
  }

  private void swap(int a, int b) {
    swaps++;
    int held = order[a];
    order[a] = order[b];
    order[b] = held;
    for (int j = 0; j < size; j++) {
      double value = factors[a * size + j];
      factors[a * size + j] = factors[b * size + j];
      factors[b * size + j] = value;
    }
  }

  /** The first diagonal element of U that is zero; -1 if there is none. */
  int singularAt() {
    return singularAt;
  }

  /** 1 or -1, and 0 if the determinant is. */
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

  /** X of A X = B, of {@code columns} columns. */
  void solve(double[] right, int columns, double[] solution, Lookout lookout) {
    for (int i = 0; i < size; i++) {
      System.arraycopy(right, order[i] * columns, solution, i * columns, columns);
    }
    Triangles.solve(factors, size, false, true, solution, columns, lookout);
    Triangles.solve(factors, size, true, false, solution, columns, lookout);
  }

  static double[] identity(int size) {
    double[] identity = new double[size * size];
    for (int i = 0; i < size; i++) {
      identity[i * size + i] = 1;
    }
    return identity;
  }
}
