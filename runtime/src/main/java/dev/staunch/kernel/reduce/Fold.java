package dev.staunch.kernel.reduce;

import dev.staunch.kernel.primitive.RowReduction;

/**
 * Combines the elements of a group, first to last, into one number. If there are several groups,
 * some are folded at once, each in its own order: an element then waits only for its predecessor in
 * its own group.
 */
enum Fold {
  /** The sum, in double precision. */
  SUM(RowReduction.Kind.SUM, 0) {
    @Override
    double along(double result, double[] values, int from, int count) {
      double sum = result;
      for (int i = from; i < from + count; i++) {
        sum += values[i];
      }
      return sum;
    }

    @Override
    void across(double[] results, double[] values, int count) {
      for (int i = 0; i < count; i++) {
        results[i] += values[i];
      }
    }

    @Override
    void abreast(double[] results, double[][] rows, int count) {
      double[] x0 = rows[0];
      double[] x1 = rows[1];
      double[] x2 = rows[2];
      double[] x3 = rows[3];
      double r0 = results[0];
      double r1 = results[1];
      double r2 = results[2];
      double r3 = results[3];
      for (int i = 0; i < count; i++) {
        r0 += x0[i];
        r1 += x1[i];
        r2 += x2[i];
        r3 += x3[i];
      }
      results[0] = r0;
      results[1] = r1;
      results[2] = r2;
      results[3] = r3;
    }
  },

  /** The sum of the squares, in double precision. */
  SQUARES(RowReduction.Kind.SQUARES, 0) {
    @Override
    double along(double result, double[] values, int from, int count) {
      double sum = result;
      for (int i = from; i < from + count; i++) {
        sum += values[i] * values[i];
      }
      return sum;
    }

    @Override
    void across(double[] results, double[] values, int count) {
      for (int i = 0; i < count; i++) {
        results[i] += values[i] * values[i];
      }
    }

    @Override
    Fold ofParts() {
      return SUM;
    }

    @Override
    void abreast(double[] results, double[][] rows, int count) {
      for (double[] row : rows) {
        for (int i = 0; i < count; i++) {
          row[i] *= row[i];
        }
      }
      SUM.abreast(results, rows, count);
    }
  },

  /** The product, in double precision. */
  PRODUCT(RowReduction.Kind.PRODUCT, 1) {
    @Override
    double along(double result, double[] values, int from, int count) {
      double product = result;
      for (int i = from; i < from + count; i++) {
        product *= values[i];
      }
      return product;
    }

    @Override
    void across(double[] results, double[] values, int count) {
      for (int i = 0; i < count; i++) {
        results[i] *= values[i];
      }
    }

    @Override
    void abreast(double[] results, double[][] rows, int count) {
      double[] x0 = rows[0];
      double[] x1 = rows[1];
      double[] x2 = rows[2];
      double[] x3 = rows[3];
      double r0 = results[0];
      double r1 = results[1];
      double r2 = results[2];
      double r3 = results[3];
      for (int i = 0; i < count; i++) {
        r0 *= x0[i];
        r1 *= x1[i];
        r2 *= x2[i];
        r3 *= x3[i];
      }
      results[0] = r0;
      results[1] = r1;
      results[2] = r2;
      results[3] = r3;
    }
  },

  /** The greatest element, or NaN if there is one; negative infinity for no elements. */
  GREATEST(RowReduction.Kind.GREATEST, Double.NEGATIVE_INFINITY) {
    @Override
    double along(double result, double[] values, int from, int count) {
      double most = result;
      for (int i = from; i < from + count; i++) {
        most = Math.max(most, values[i]);
      }
      return most;
    }

    @Override
    void across(double[] results, double[] values, int count) {
      for (int i = 0; i < count; i++) {
        results[i] = Math.max(results[i], values[i]);
      }
    }
  },

  /** The least element, or NaN if there is one; infinity for no elements. */
  LEAST(RowReduction.Kind.LEAST, Double.POSITIVE_INFINITY) {
    @Override
    double along(double result, double[] values, int from, int count) {
      double least = result;
      for (int i = from; i < from + count; i++) {
        least = Math.min(least, values[i]);
      }
      return least;
    }

    @Override
    void across(double[] results, double[] values, int count) {
      for (int i = 0; i < count; i++) {
        results[i] = Math.min(results[i], values[i]);
      }
    }
  };

  /** Groups whose rows are folded at once. */
  static final int ABREAST = 4;

  private final RowReduction.Kind kind;
  private final double start;

  Fold(RowReduction.Kind kind, double start) {
    this.kind = kind;
    this.start = start;
  }

  /** The kind for which a kernel set may have its own loop. */
  RowReduction.Kind kind() {
    return kind;
  }

  /** The result for no elements. */
  double start() {
    return start;
  }

  /** Combines the results of parts of a group. */
  Fold ofParts() {
    return this;
  }

  /** {@code result} combined with the next elements of one group, from index {@code from} on. */
  abstract double along(double result, double[] values, int from, int count);

  /** Combines each of {@code results} with the next element of its group. */
  abstract void across(double[] results, double[] values, int count);

  /** Combines {@link #ABREAST} results with the next elements of one group each. */
  void abreast(double[] results, double[][] rows, int count) {
    for (int k = 0; k < ABREAST; k++) {
      results[k] = along(results[k], rows[k], 0, count);
    }
  }
}
