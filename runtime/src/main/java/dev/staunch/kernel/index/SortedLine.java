package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;

/**
 * Finds where elements of one tensor would be inserted among those of another. The other holds
 * lines in ascending order: contiguous, as float64 if either tensor has real numbers, else as
 * int64.
 */
final class SortedLine {
  private final MemorySegment sorted;
  private final long offset;
  private final boolean floating;
  private final Reals reals;
  private final Integers integers;

  SortedLine(CancellationPoll poll, DenseTensor sorted, DenseTensor wanted) {
    this.sorted = sorted.segment();
    this.offset = sorted.layout().offset();
    this.floating = sorted.dtype().isFloating();
    this.reals = Reals.of(poll, wanted);
    this.integers = Integers.of(poll, wanted);
  }

  /**
   * The first position, from {@code from} to {@code to}, whose element is not below the {@code
   * i}-th wanted one or, if {@code right}, is above it; {@code to} if there is none.
   */
  long place(long i, long from, long to, boolean right) {
    return floating
        ? placeOfReal(reals.at(i), from, to, right)
        : placeOfInteger(integers.at(i), from, to, right);
  }

  private long placeOfReal(double wanted, long from, long to, boolean right) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      double found = sorted.getAtIndex(JAVA_DOUBLE, offset + middle);
      boolean reached = right ? found > wanted : found >= wanted;
      low = reached ? low : middle + 1;
      high = reached ? middle : high;
    }
    return low;
  }

  private long placeOfInteger(long wanted, long from, long to, boolean right) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      long found = sorted.getAtIndex(JAVA_LONG, offset + middle);
      boolean reached = right ? found > wanted : found >= wanted;
      low = reached ? low : middle + 1;
      high = reached ? middle : high;
    }
    return low;
  }
}
