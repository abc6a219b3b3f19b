package dev.staunch.kernel.index;

import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;

/**
 * Looks for the elements of one tensor among those of another, which is contiguous and holds lines
 * in rising order: as reals if one of them has reals, else exactly.
 */
final class SortedLine {
  private final DenseTensor sorted;
  private final long offset;
  private final boolean floating;
  private final Reals reals;
  private final Integers integers;

  private SortedLine(Lookout lookout, DenseTensor sorted, DenseTensor wanted) {
    this.sorted = sorted;
    this.offset = sorted.layout().offset();
    this.floating = sorted.dtype().isFloating() || wanted.dtype().isFloating();
    this.reals = Reals.of(lookout, wanted);
    this.integers = Integers.of(lookout, wanted);
  }

  static SortedLine of(Lookout lookout, DenseTensor sorted, DenseTensor wanted) {
    return new SortedLine(lookout, sorted, wanted);
  }

  /** What it costs to look among {@code width} elements, in elements read. */
  static int looks(long width) {
    return Long.SIZE - Long.numberOfLeadingZeros(width) + 1;
  }

  /**
   * The first place from {@code from} to {@code to} whose element is not below the {@code i}-th
   * wanted one or, if {@code right}, is above it; {@code to} if there is none.
   */
  long place(long i, long from, long to, boolean right) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      boolean reached =
          floating ? reached(reals.at(i), middle, right) : reached(integers.at(i), middle, right);
      low = reached ? low : middle + 1;
      high = reached ? middle : high;
    }
    return low;
  }

  /** Whether the {@code i}-th wanted element is among the first {@code count}; NaN never is. */
  boolean holds(long i, long count) {
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = low + (high - low) / 2;
      boolean below = floating ? real(middle) < reals.at(i) : integer(middle) < integers.at(i);
      low = below ? middle + 1 : low;
      high = below ? high : middle;
    }
    return low < count && (floating ? real(low) == reals.at(i) : integer(low) == integers.at(i));
  }

  private boolean reached(double wanted, long place, boolean right) {
    return right ? real(place) > wanted : real(place) >= wanted;
  }

  private boolean reached(long wanted, long place, boolean right) {
    return right ? integer(place) > wanted : integer(place) >= wanted;
  }

  private double real(long place) {
    return Elements.asDouble(sorted.segment(), sorted.dtype(), offset + place);
  }

  private long integer(long place) {
    return Elements.asLong(sorted.segment(), sorted.dtype(), offset + place);
  }
}
