package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * Hoare's selection (quickselect): moves the k-th smallest element of a group to the position it
 * would have if the group were sorted. Pivots are chosen as in libtorch, so that the same one of
 * equal elements is selected. Made for one call.
 */
final class Selecting {
  /** The most elements scanned between two polls. */
  private static final int PIECE = 1 << 12;

  private final Reduction groups;
  private final CancellationPoll poll;
  private final boolean floating;
  private final RealRow reals;
  private final IntegerRow integers;
  private final MemorySegment keys;
  private final MemorySegment numbers;

  private Selecting(
      Reduction groups, CancellationPoll poll, MemorySegment keys, MemorySegment numbers) {
    this.groups = groups;
    this.poll = poll;
    this.floating = groups.self.dtype().isFloating();
    this.reals = RealRow.of(groups, poll);
    this.integers = new IntegerRow(groups, poll);
    this.keys = keys;
    this.numbers = numbers;
  }

  /** A {@link Selecting} for these groups, or a fault; {@code made} owns its memory. */
  static Object of(Call call, CancellationPoll poll, Temporaries made, Reduction groups) {
    Shape shape = Shape.of(groups.count);
    Object keys = made.note(call.allocate(DType.INT64, shape));
    Object numbers = keys instanceof Fault ? keys : made.note(call.allocate(DType.INT32, shape));
    return keys instanceof DenseTensor first && numbers instanceof DenseTensor second
        ? new Selecting(groups, poll, first.segment(), second.segment())
        : numbers;
  }

  /**
   * The index within the group of the element with {@code k} smaller ones; meaningless after a
   * cancellation.
   */
  int smallest(int group, int k) {
    load(group);
    poll.inPieces(groups.count, (first, count) -> number(numbers, first, first + count));
    if (poll.fault() == null) {
      select(k);
    }
    return number(k);
  }

  /** Writes a key for each element, in element order; NaN is above all numbers. */
  private void load(int group) {
    if (floating) {
      RealRow row = reals.of(group);
      for (row.rewind(); row.advance(); ) {
        int n = row.count();
        for (int i = 0; i < n; i++) {
          long bits = Double.doubleToLongBits(row.values()[i] + 0.0);
          keys.setAtIndex(JAVA_LONG, row.start() + i, bits < 0 ? bits ^ Long.MAX_VALUE : bits);
        }
      }
    } else {
      IntegerRow row = integers.of(group);
      for (row.rewind(); row.advance(); ) {
        int n = row.count();
        MemorySegment.copy(row.values(), 0, keys, JAVA_LONG, (long) row.start() * Long.BYTES, n);
      }
    }
  }

  private static void number(MemorySegment numbers, long first, long end) {
    for (long i = first; i < end; i++) {
      numbers.setAtIndex(JAVA_INT, i, (int) i);
    }
  }

  private int number(int place) {
    return numbers.getAtIndex(JAVA_INT, place);
  }

  private void select(int k) {
    int low = 0;
    int high = groups.count - 1;
    while (high > low + 1 && poll.fault() == null) {
      long pivot = key(placePivot(low, high));
      int i = low + 1;
      int j = high;
      while (true) {
        i = above(i, pivot);
        j = below(j, pivot);
        if (j < i || poll.fault() != null) {
          break;
        }
        swap(i, j);
      }
      swap(low, j);
      low = j <= k ? i : low;
      high = j >= k ? j - 1 : high;
    }
    if (high == low + 1 && key(low) > key(high)) {
      swap(low, high);
    }
  }

  /**
   * The first position after {@code place} that is not below the pivot; any after a cancellation.
   */
  private int above(int place, long pivot) {
    int at = place;
    int end;
    do {
      end = at + PIECE;
      int start = at;
      do {
        at++;
      } while (at < end && pivot > key(at));
      poll.mayContinue(at - start);
    } while (at == end && pivot > key(at) && poll.fault() == null);
    return at;
  }

  /**
   * The last position before {@code place} that is not above the pivot; any after a cancellation.
   */
  private int below(int place, long pivot) {
    int at = place;
    int end;
    do {
      end = at - PIECE;
      int start = at;
      do {
        at--;
      } while (at > end && key(at) > pivot);
      poll.mayContinue(start - at);
    } while (at == end && key(at) > pivot && poll.fault() == null);
    return at;
  }

  /** Moves the median of three elements to {@code low}, the others next to it. */
  private int placePivot(int low, int high) {
    swap(low + (high - low) / 2, low + 1);
    order(low + 1, high);
    order(low, high);
    order(low + 1, low);
    return low;
  }

  private void order(int first, int second) {
    if (key(first) > key(second)) {
      swap(first, second);
    }
  }

  private long key(int place) {
    return keys.getAtIndex(JAVA_LONG, place);
  }

  private void swap(int first, int second) {
    int number = number(first);
    numbers.setAtIndex(JAVA_INT, first, number(second));
    numbers.setAtIndex(JAVA_INT, second, number);
    long key = key(first);
    keys.setAtIndex(JAVA_LONG, first, key(second));
    keys.setAtIndex(JAVA_LONG, second, key);
  }
}
