package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order of a group's elements, with equal ones in their original order and NaN above all
 * numbers. It is a radix sort, eight bits at a time, least significant first. An entry is the
 * number of an element, below 32 bits of its key; elements of 64 bits are sorted by their lower
 * half first. Polls for cancellation between pieces; after one, the order is meaningless.
 */
public final class StableOrder {
  private static final int PIECE = 1 << 15;
  private static final int DIGITS = 1 << 8;

  /** Up to this size, insertion sort beats counting digits. */
  private static final int FEW = 48;

  /** Up to this many elements, and up to this fraction of all, selecting them beats sorting. */
  private static final int MOST_PICKED = 256;

  private static final int PART_PICKED = 8;

  private final Reduction from;
  private final CancellationPoll poll;
  private final boolean descending;
  private final boolean wide;
  private final RealRow reals;
  private final IntegerRow integers;
  private final int[][] counts = new int[Integer.BYTES][DIGITS];
  private final int[] next = new int[DIGITS];
  private final long[] few = new long[FEW];
  private MemorySegment entries;
  private MemorySegment spare;

  /**
   * Collects the entries of a group if only the first ones are needed; null while all are sorted.
   */
  private @Nullable LeastEntries picking;

  private StableOrder(
      Reduction from,
      CancellationPoll poll,
      boolean descending,
      MemorySegment entries,
      MemorySegment spare) {
    this.from = from;
    this.poll = poll;
    this.descending = descending;
    this.wide = from.self.dtype() == DType.FLOAT64 || from.self.dtype() == DType.INT64;
    this.reals = RealRow.of(from, poll);
    this.integers = new IntegerRow(from, poll);
    this.entries = entries;
    this.spare = spare;
  }

  /**
   * A {@link StableOrder} for the groups of {@code from}, or a fault; {@code made} owns its memory.
   */
  public static Object of(
      Call call, CancellationPoll poll, Temporaries made, Reduction from, boolean descending) {
    Shape shape = Shape.of(from.count);
    Object entries = made.note(call.allocate(DType.INT64, shape));
    if (!(entries instanceof DenseTensor first)) {
      return entries;
    }
    Object spare = from.count > FEW ? made.note(call.allocate(DType.INT64, shape)) : first;
    return spare instanceof DenseTensor second
        ? new StableOrder(from, poll, descending, first.segment(), second.segment())
        : spare;
  }

  /** The index of the element at rank {@code i} of the last group that was sorted. */
  public int at(int i) {
    return (int) entries.getAtIndex(JAVA_LONG, i);
  }

  /** Sorts a group; returns false if it was cancelled. */
  public boolean sort(int group) {
    boolean done = load(group) && sort();
    return done && (!wide || (turnToUpperHalves(group) && sort()));
  }

  /** As {@link #sort(int)}, if only the first {@code most}, at least 1, are needed. */
  public boolean sort(int group, int most) {
    if (wide || most > MOST_PICKED || most > from.count / PART_PICKED) {
      return sort(group);
    }
    LeastEntries least = new LeastEntries(most);
    picking = least;
    boolean done = load(group);
    picking = null;
    least.store(entries);
    return done;
  }

  private boolean load(int group) {
    return from.self.dtype().isFloating() ? loadReals(group) : loadIntegers(group);
  }

  private boolean loadReals(int group) {
    RealRow row = reals.of(group);
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      if (picking != null) {
        pick(picking, values, row.start(), n);
      } else {
        for (int i = 0; i < n; i++) {
          put(row.start() + i, wide ? key(values[i]) : narrowKey(values[i]));
        }
      }
    }
    return poll.fault() == null;
  }

  /**
   * Offers the elements that come before the last one of those picked so far; an equal one does
   * not.
   */
  private void pick(LeastEntries least, double[] values, int start, int count) {
    double last = last(least);
    for (int i = 0; i < count; i++) {
      double value = values[i];
      if (descending ? !(value <= last) : !(value >= last)) {
        least.offer(narrowKey(value) << Integer.SIZE | start + i);
        last = last(least);
      }
    }
  }

  /** The value of the last entry if no more are picked; else NaN, which is not after any number. */
  private double last(LeastEntries least) {
    int key = (int) (turned(least.greatest()) >>> Integer.SIZE);
    return least.isFull()
        ? Float.intBitsToFloat(key ^ (~key >> (Integer.SIZE - 1) | Integer.MIN_VALUE))
        : Double.NaN;
  }

  private boolean loadIntegers(int group) {
    IntegerRow row = integers.of(group);
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        put(row.start() + i, key(values[i]));
      }
    }
    return poll.fault() == null;
  }

  private void put(int i, long key) {
    long entry = key << Integer.SIZE | i;
    if (picking != null) {
      picking.offer(entry);
    } else {
      entries.setAtIndex(JAVA_LONG, i, entry);
    }
  }

  /** An unsigned number in the order of the doubles; zeros of both signs are equal. */
  private long key(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return turned(bits ^ (bits >> (Long.SIZE - 1) | Long.MIN_VALUE)); // no branch on the sign
  }

  private long narrowKey(double value) {
    int bits = Float.floatToIntBits((float) value + 0f);
    return turned(bits ^ (bits >> (Integer.SIZE - 1) | Integer.MIN_VALUE));
  }

  /** An unsigned number in the order of the integers, whether of 64 bits or of 32. */
  private long key(long value) {
    return turned(wide ? value ^ Long.MIN_VALUE : value ^ Integer.MIN_VALUE);
  }

  private long turned(long key) {
    return descending ? ~key : key;
  }

  private boolean turnToUpperHalves(int group) {
    boolean real = from.self.dtype().isFloating();
    for (int start = 0, end; start < from.count && poll.fault() == null; start = end) {
      end = start + Math.min(PIECE, from.count - start);
      if (real) {
        turnReals(entries, group, start, end);
      } else {
        turnIntegers(entries, group, start, end);
      }
      poll.mayContinue(2L * (end - start));
    }
    return poll.fault() == null;
  }

  private void turnReals(MemorySegment turned, int group, int start, int end) {
    MemorySegment elements = from.self.segment();
    for (int i = start; i < end; i++) {
      int element = (int) turned.getAtIndex(JAVA_LONG, i);
      long key = key(elements.getAtIndex(JAVA_DOUBLE, from.at(group, element)));
      turned.setAtIndex(JAVA_LONG, i, (key & ~0xffffffffL) | element);
    }
  }

  private void turnIntegers(MemorySegment turned, int group, int start, int end) {
    MemorySegment elements = from.self.segment();
    for (int i = start; i < end; i++) {
      int element = (int) turned.getAtIndex(JAVA_LONG, i);
      long key = key(elements.getAtIndex(JAVA_LONG, from.at(group, element)));
      turned.setAtIndex(JAVA_LONG, i, (key & ~0xffffffffL) | element);
    }
  }

  /** Sorts by the upper halves of the entries; stable. */
  private boolean sort() {
    if (from.count <= FEW) {
      insert();
      return true;
    }
    for (int[] count : counts) {
      Arrays.fill(count, 0);
    }
    MemorySegment counted = entries;
    poll.inPieces(
        from.count, PIECE, (first, count) -> count(counted, first, first + count, counts));
    for (int digit = 0; poll.fault() == null && digit < counts.length; digit++) {
      if (!allAlike(counts[digit])) {
        distribute(Integer.SIZE + 8 * digit, counts[digit]);
      }
    }
    return poll.fault() == null;
  }

  private void insert() {
    MemorySegment.copy(entries, JAVA_LONG, 0, few, 0, from.count);
    for (int i = 1; i < from.count; i++) {
      long moved = few[i];
      int to = i;
      for (; to > 0 && few[to - 1] >>> Integer.SIZE > moved >>> Integer.SIZE; to--) {
        few[to] = few[to - 1];
      }
      few[to] = moved;
    }
    MemorySegment.copy(few, 0, entries, JAVA_LONG, 0, from.count);
  }

  private static void count(MemorySegment entries, long first, long end, int[][] counts) {
    int[] lowest = counts[0];
    int[] lower = counts[1];
    int[] upper = counts[2];
    int[] highest = counts[3];
    for (long i = first; i < end; i++) {
      long entry = entries.getAtIndex(JAVA_LONG, i);
      lowest[(int) (entry >>> 32) & (DIGITS - 1)]++;
      lower[(int) (entry >>> 40) & (DIGITS - 1)]++;
      upper[(int) (entry >>> 48) & (DIGITS - 1)]++;
      highest[(int) (entry >>> 56)]++;
    }
  }

  private boolean allAlike(int[] counts) {
    for (int count : counts) {
      if (count != 0) {
        return count == from.count;
      }
    }
    return true;
  }

  /** Moves the entries to the other table, by one digit. */
  private void distribute(int shift, int[] counts) {
    next[0] = 0;
    for (int digit = 1; digit < DIGITS; digit++) {
      next[digit] = next[digit - 1] + counts[digit - 1];
    }
    MemorySegment moved = entries;
    MemorySegment into = spare;
    poll.inPieces(
        from.count,
        PIECE,
        (first, count) -> distribute(moved, first, first + count, into, shift, next));
    entries = into;
    spare = moved;
  }

  private static void distribute(
      MemorySegment entries, long first, long end, MemorySegment into, int shift, int[] next) {
    for (long i = first; i < end; i++) {
      long entry = entries.getAtIndex(JAVA_LONG, i);
      into.setAtIndex(JAVA_LONG, next[(int) (entry >>> shift) & (DIGITS - 1)]++, entry);
    }
  }
}
