package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Lookout;

/**
 * Hoare's selection: puts the k-th smallest element of a group where it would stand if the group
 * were sorted. Pivots are chosen as libtorch does, so that equal elements give the same index. Made
 * for one call.
 */
final class Selecting {
  private final Reduction groups;
  private final Lookout lookout;
  private final double[] reals;
  private final long[] integers;
  private final int[] numbers;

  Selecting(Reduction groups, Lookout lookout) {
    this.groups = groups;
    this.lookout = lookout;
    boolean floating = groups.self.dtype().isFloating();
    this.reals = new double[floating ? groups.count : 0];
    this.integers = new long[floating ? 0 : groups.count];
    this.numbers = new int[groups.count];
  }

  /**
   * The index within the group of its smallest element but {@code k}; of no use after a
   * cancellation.
   */
  int smallest(int group, int k) {
    if (reals.length > 0) {
      RealRow row = RealRow.of(groups, lookout).of(group);
      for (int n = row.first(); n > 0; n = row.next()) {
        System.arraycopy(row.values(), 0, reals, row.start(), n);
      }
    } else {
      IntegerRow row = new IntegerRow(groups, lookout).of(group);
      for (int n = row.first(); n > 0; n = row.next()) {
        System.arraycopy(row.values(), 0, integers, row.start(), n);
      }
    }
    for (int i = 0; i < numbers.length && lookout.goesOn(1); i++) {
      numbers[i] = i;
    }
    select(k);
    return numbers[k];
  }

  private void select(int k) {
    int low = 0;
    int high = numbers.length - 1;
    while (high > low + 1 && lookout.fault() == null) {
      int pivot = numbers[placePivot(low, high)];
      int i = low + 1;
      int j = high;
      while (true) {
        do {
          i++;
        } while (lookout.goesOn(1) && above(pivot, numbers[i]));
        do {
          j--;
        } while (lookout.goesOn(1) && above(numbers[j], pivot));
        if (j < i || lookout.fault() != null) {
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
