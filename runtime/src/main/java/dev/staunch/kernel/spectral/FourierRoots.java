package dev.staunch.kernel.spectral;

/** The order in which repeated halving takes the elements of a power of two, and its roots. */
final class FourierRoots {
  /** Numbers of the table for each position: three cosines and three sines. */
  static final int ROOTS = 6;

  /** The initial position of each element: its index with the bits reversed. */
  private final int[] reversed;

  /** Cosines and sines of three roots for each position of a double step, in the order of use. */
  private final double[] table;

  /**
   * @param length a power of two
   */
  FourierRoots(int length) {
    this.reversed = new int[length];
    for (int i = 1; i < length; i++) {
      reversed[i] = (reversed[i >> 1] >> 1) | ((i & 1) == 0 ? 0 : length >> 1);
    }
    this.table = table(length);
  }

  /** The length of the table for {@code length} elements, of which there are at most 2^29. */
  static int rootsOf(int length) {
    return ROOTS / 3 * (length - firstHalf(length));
  }

  private static int firstHalf(int length) {
    return Integer.numberOfTrailingZeros(length) % 2 == 1 ? 2 : 1;
  }

  private static double[] table(int length) {
    int first = firstHalf(length);
    double[] table = new double[rootsOf(length)];
    int at = 0;
    for (int half = first; half < length; half *= 4) {
      int step = length / (4 * half);
      for (int k = 0; k < half; k++) {
        for (int root : new int[] {2 * k * step, k * step, (k + half) * step}) {
          double angle = 2 * Math.PI * root / length;
          table[at++] = Math.cos(angle);
          table[at++] = Math.sin(angle);
        }
      }
    }
    return table;
  }

  /** The number of elements. */
  int length() {
    return reversed.length;
  }

  /** Where element {@code i} starts. */
  int reversed(int i) {
    return reversed[i];
  }

  /** The roots in the order of use. */
  double[] table() {
    return table;
  }
}
