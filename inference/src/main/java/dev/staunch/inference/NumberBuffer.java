package dev.staunch.inference;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers from JSON: exact, as longs, if they are integers that fit; otherwise as doubles. */
final class NumberBuffer {
  private double[] reals = new double[16];
  private long[] integers = new long[16];
  private int size;
  private int firstInexact = -1;
  private @Nullable String inexactText;
  private int firstOverflow = -1;
  private @Nullable String overflowText;

  void add(long value) {
    grow();
    reals[size] = value;
    integers[size++] = value;
  }

  /** Adds {@code -0}, which is an integer, and a real that has a sign. */
  void addNegativeZero() {
    grow();
    reals[size] = -0.0;
    integers[size++] = 0;
  }

  /** Adds a number that is not a long: {@code text} has a fraction or too many digits. */
  void add(double value, String text) {
    grow();
    if (firstInexact < 0) {
      firstInexact = size;
      inexactText = text;
    }
    if (firstOverflow < 0 && Double.isInfinite(value) && !text.endsWith("Infinity")) {
      firstOverflow = size;
      overflowText = text;
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

  /** The position of the first number that is not a long, or -1. */
  int firstInexact() {
    return firstInexact;
  }

  /** The position of the first number outside the range of double, or -1. */
  int firstOverflow() {
    return firstOverflow;
  }

  /** The number at {@code i} as it was written, if that text was kept. */
  String text(int i) {
    if (i == firstInexact && inexactText != null) {
      return shortened(inexactText);
    }
    if (i == firstOverflow && overflowText != null) {
      return shortened(overflowText);
    }
    return String.valueOf(reals[i]);
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 37) + "...";
  }

  /** The numbers in the storage type used for {@code datatype}. */
  InputValues values(Datatype datatype) {
    return datatype.isInteger()
        ? InputValues.of(Arrays.copyOf(integers, size))
        : InputValues.of(Arrays.copyOf(reals, size));
  }

  double real(int i) {
    return reals[i];
  }

  long integer(int i) {
    return integers[i];
  }
}
