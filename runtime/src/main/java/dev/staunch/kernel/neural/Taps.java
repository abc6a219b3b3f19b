package dev.staunch.kernel.neural;

import java.util.Arrays;

/**
 * The source elements of each element of a resized line, and their weights.
 *
 * @param width the number of source elements for each element
 * @param places the source elements of element {@code i}, from index {@code i * width} on
 */
record Taps(int width, int[] places, double[] weights) {
  private static final double CUBIC = -0.75;

  /** How to read a line between its elements. */
  enum Kind {
    NEAREST,
    NEAREST_EXACT,
    LINEAR,
    CUBIC
  }

  /**
   * @param scale the requested factor, or 0 to derive it from the sizes
   * @param single whether steps, weights of two elements and the places of nearest ones are in
   *     single precision, as in libtorch for float32; the places between elements are not
   */
  static Taps of(Kind kind, int size, int result, boolean aligned, double scale, boolean single) {
    double step = step(size, result, aligned, scale, kind);
    double by = single ? (float) step : step;
    int width = kind == Kind.CUBIC ? 4 : kind == Kind.LINEAR ? 2 : 1;
    Taps taps = new Taps(width, new int[width * result], new double[width * result]);
    for (int i = 0; i < result; i++) {
      double place =
          switch (kind) {
            case NEAREST -> i * by;
            case NEAREST_EXACT -> (i + 0.5) * by;
            case LINEAR, CUBIC -> aligned ? i * by : (i + 0.5) * by - 0.5;
          };
      place = kind == Kind.LINEAR ? Math.max(0, place) : place;
      taps.put(i, single && width == 1 ? (float) place : place, size, single);
    }
    return taps;
  }

  /** Whether each element is the source element in the same place. */
  boolean isIdentity(int size) {
    boolean same = places.length == (long) size * width;
    for (int i = 0; i < places.length && same; i++) {
      boolean first = i % width == 0;
      same = weights[i] == (first ? 1 : 0) && (!first || places[i] == i / width);
    }
    return same;
  }

  /** Whether two elements have the same source elements and weights. */
  boolean areSame(int i, int k) {
    int a = i * width;
    int b = k * width;
    return Arrays.equals(places, a, a + width, places, b, b + width)
        && Arrays.equals(weights, a, a + width, weights, b, b + width);
  }

  /**
   * The taps with the weights that libtorch uses for bytes: the greatest has 15 bits and a sign.
   */
  Taps rounded() {
    double[] merged = merged();
    double greatest = Arrays.stream(merged).max().orElse(0);
    int bits = 0;
    while (bits < 22 && 0.5 + greatest * (1 << (bits + 1)) < 1 << 15) {
      bits++;
    }
    double one = 1 << bits;
    Arrays.setAll(
        merged, i -> Math.signum(merged[i]) * Math.floor(Math.abs(merged[i]) * one + 0.5) / one);
    return new Taps(width, places, merged);
  }

  /**
   * The weights; those for the same source element are added up in the first, and the others are 0.
   */
  private double[] merged() {
    double[] merged = weights.clone();
    for (int i = 0; i < merged.length; i++) {
      for (int k = i - i % width; k < i; k++) {
        if (places[k] == places[i]) {
          merged[k] += merged[i];
          merged[i] = 0;
        }
      }
    }
    return merged;
  }

  private static double step(int size, int result, boolean aligned, double scale, Kind kind) {
    if (size == result && kind == Kind.LINEAR) {
      return 1;
    }
    if (aligned && (kind == Kind.LINEAR || kind == Kind.CUBIC)) {
      return result > 1 ? (double) (size - 1) / (result - 1) : 0;
    }
    return scale > 0 ? 1 / scale : (double) size / result;
  }

  private void put(int i, double place, int size, boolean single) {
    int low = (int) Math.floor(place);
    double off = place - low;
    switch (width) {
      case 1 -> put(i, 0, low, 1, size);
      case 2 -> {
        int last = Math.min(low, size - 1);
        double second = single ? (float) off : off;
        put(i, 0, last, single ? (float) (1 - second) : 1 - second, size);
        put(i, 1, Math.min(last + 1, size - 1), second, size);
      }
      default -> {
        put(i, 0, low - 1, far(off + 1), size);
        put(i, 1, low, near(off), size);
        put(i, 2, low + 1, near(1 - off), size);
        put(i, 3, low + 2, far(2 - off), size);
      }
    }
  }

  private void put(int i, int tap, int place, double weight, int size) {
    places[i * width + tap] = Math.clamp(place, 0, size - 1);
    weights[i * width + tap] = weight;
  }

  private static double near(double x) {
    return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
  }

  private static double far(double x) {
    return ((CUBIC * x - 5 * CUBIC) * x + 8 * CUBIC) * x - 4 * CUBIC;
  }
}
