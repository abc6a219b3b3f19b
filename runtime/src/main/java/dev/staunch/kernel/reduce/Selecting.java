package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * Hoare's selection: puts the k-th smallest element of a group where it would stand if the group
 * were sorted. Pivots are chosen as libtorch does, so that equal elements give the same index. Made
 * for one call.
 */
final class Selecting {
  private final Reduction groups;
  private final Lookout lookout;
  private final boolean floating;
  private final MemorySegment values;
  private final MemorySegment numbers;

  private Selecting(
      Reduction groups, Lookout lookout, MemorySegment values, MemorySegment numbers) {
    this.groups = groups;
    this.lookout = lookout;
    this.floating = groups.self.dtype().isFloating();
    this.values = values;
    this.numbers = numbers;
  }

  /** A {@link Selecting} for these groups, or a fault; {@code made} keeps it. */
  static Object of(Call call, Lookout lookout, Temporaries made, Reduction groups) {
    Shape shape = Shape.of(groups.count);
    DType wide = groups.self.dtype().isFloating() ? DType.FLOAT64 : DType.INT64;
    Object values = made.note(call.allocate(wide, shape));
    Object numbers = made.note(call.allocate(DType.INT32, shape));
    return values instanceof DenseTensor first && numbers instanceof DenseTensor second
        ? new Selecting(groups, lookout, first.segment(), second.segment())
        : values instanceof Fault ? values : numbers;
  }

  /**
   * The index within the group of its smallest element but {@code k}; of no use after a
   * cancellation.
   */
  int smallest(int group, int k) {
    if (floating) {
      RealRow row = RealRow.of(groups, lookout).of(group);
      for (int n = row.first(); n > 0; n = row.next()) {
        MemorySegment.copy(
            row.values(), 0, values, JAVA_DOUBLE, (long) row.start() * Double.BYTES, n);
      }
    } else {
      IntegerRow row = new IntegerRow(groups, lookout).of(group);
      for (int n = row.first(); n > 0; n = row.next()) {
        MemorySegment.copy(row.values(), 0, values, JAVA_LONG, (long) row.start() * Long.BYTES, n);
      }
    }
    for (int i = 0; i < groups.count && lookout.goesOn(1); i++) {
      numbers.setAtIndex(JAVA_INT, i, i);
    }
    if (lookout.fault() == null) {
      select(k);
    }
    return number(k);
  }

  private int number(int place) {
    return numbers.getAtIndex(JAVA_INT, place);
  }

  private void select(int k) {
    int low = 0;
    int high = groups.count - 1;
    while (high > low + 1 && lookout.fault() == null) {
      int pivot = number(placePivot(low, high));
      int i = low + 1;
      int j = high;
      while (true) {
        do {
          i++;
        } while (lookout.goesOn(1) && above(pivot, number(i)));
        do {
          j--;
        } while (lookout.goesOn(1) && above(number(j), pivot));
        if (j < i || lookout.fault() != null) {
          break;
        }
        swap(i, j);
      }
      swap(low, j);
      low = j <= k ? i : low;
      high = j >= k ? j - 1 : high;
    }
    if (high == low + 1 && above(number(low), number(high))) {
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
    if (above(number(first), number(second))) {
      swap(first, second);
    }
  }

  private boolean above(int first, int second) {
    if (!floating) {
      return values.getAtIndex(JAVA_LONG, first) > values.getAtIndex(JAVA_LONG, second);
    }
    double a = values.getAtIndex(JAVA_DOUBLE, first);
    double b = values.getAtIndex(JAVA_DOUBLE, second);
    return a > b || (Double.isNaN(a) && !Double.isNaN(b));
  }

  private void swap(int first, int second) {
    int kept = number(first);
    numbers.setAtIndex(JAVA_INT, first, number(second));
    numbers.setAtIndex(JAVA_INT, second, kept);
  }
}
