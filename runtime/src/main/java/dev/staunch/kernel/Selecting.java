package dev.staunch.kernel;

/**
 * Hoare's selection: puts the k-th smallest element of a group where it would stand if the group
 * were sorted. Pivots are chosen as libtorch does, so that equal elements give the same index.
 */
final class Selecting {
  private final double[] reals;
  private final long[] integers;
  private final int[] numbers;

  private Selecting(double[] reals, long[] integers, int[] numbers) {
    this.reals = reals;
    this.integers = integers;
    this.numbers = numbers;
  }

  /** Fills {@code numbers} with the group's indices, the k-th smallest element's at {@code k}. */
  static void smallest(Reduction groups, int group, int[] numbers, int k) {
    java.util.Arrays.setAll(numbers, i -> i);
    boolean floating = groups.self.dtype().isFloating();
    double[] reals = new double[floating ? groups.count : 0];
    long[] integers = new long[floating ? 0 : groups.count];
    if (floating) {
      groups.load(group, 0, reals);
    } else {
      groups.load(group, 0, integers);
    }
    new Selecting(reals, integers, numbers).select(k);
  }

  private void select(int k) {
    int low = 0;
    int high = numbers.length - 1;
    while (high > low + 1) {
      int pivot = numbers[placePivot(low, high)];
      int i = low + 1;
      int j = high;
      while (true) {
        do {
          i++;
        } while (above(pivot, numbers[i]));
        do {
          j--;
        } while (above(numbers[j], pivot));
        if (j < i) {
          break;
        }
        swap(i, j);
      }
      swap(low, j);
      low = j <= k ? i : low;
      high = j >= k ? j - 1 : high;
    }
    if (high == low + 1 && above(numbers[low], numbers[high])) {
      swap(low, high);
    }
  }

  /** Brings the median of three elements to {@code low}, the others beside it. */
  private int placePivot(int low, int high) {
    swap(low + (high - low) / 2, low + 1);
    order(low + 1, high);
    order(low, high);
    order(low + 1, low);
    return low;
  }

  private void order(int first, int second) {
    if (above(numbers[first], numbers[second])) {
      swap(first, second);
    }
  }

  private boolean above(int first, int second) {
    if (reals.length == 0) {
      return integers[first] > integers[second];
    }
    double a = reals[first];
    double b = reals[second];
    return a > b || (Double.isNaN(a) && !Double.isNaN(b));
  }

  private void swap(int first, int second) {
    int kept = numbers[first];
    numbers[first] = numbers[second];
    numbers[second] = kept;
  }
}
