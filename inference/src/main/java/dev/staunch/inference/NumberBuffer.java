package dev.staunch.inference;

import java.util.Arrays;

/** Numbers as they come from JSON: exact as long where they are integers, else as double. */
final class NumberBuffer {
  private double[] reals = new double[16];
  private long[] integers = new long[16];
  private int size;
  private int firstFraction = -1;

  void add(long value) {
    grow();
    reals[size] = value;
    integers[size++] = value;
  }

  void add(double value) {
    grow();
    if (firstFraction < 0) {
      firstFraction = size;
    }
    reals[size] = value;
    integers[size++] = (long) value;
  }

  private void grow() {
    if (size == reals.length) {
      reals = Arrays.copyOf(reals, size * 2);
      integers = Arrays.copyOf(integers, size * 2);
    }
  }

  int size() {
    return size;
  }

  /** The position of the first number that was written as a fraction, or -1. */
  int firstFraction() {
    return firstFraction;
  }

  double real(int i) {
    return reals[i];
  }

  long integer(int i) {
    return integers[i];
  }
}
