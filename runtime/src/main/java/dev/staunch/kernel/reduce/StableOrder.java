package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Lookout;
import dev.staunch.type.DType;

/**
 * The order of a group's elements, equal ones as they stood and NaN above all numbers: a radix sort
 * by eight bits at a time, least first. An entry is the number of an element below 32 bits of its
 * key; elements of 64 bits are sorted by their lower half first. Looks for cancellation between
 * pieces; the order is then of no use.
 */
public final class StableOrder {
  private static final int SHIFT = 15;
  private static final int PIECE = 1 << SHIFT;
  private static final int DIGITS = 1 << 8;

  /** Up to here insertion beats the counting of digits. */
  private static final int FEW = 48;

  private final Reduction from;
  private final Lookout lookout;
  private final boolean descending;
  private final boolean wide;
  private long[][] entries;
  private long[][] spare;

  /** Sorts groups of {@code from}, one after the other; NaN counts as the greatest. */
  public StableOrder(Reduction from, Lookout lookout, boolean descending) {
    this.from = from;
    this.lookout = lookout;
    this.descending = descending;
    this.wide = from.self.dtype() == DType.FLOAT64 || from.self.dtype() == DType.INT64;
    int pieces = Math.ceilDiv(from.count, PIECE);
    this.entries = new long[pieces][];
    this.spare = new long[pieces][];
  }

  /** The number of the element at place {@code i} of the last group that was sorted. */
  public int at(int i) {
    return (int) entries[i >> SHIFT][i & (PIECE - 1)];
  }

  /** Sorts a group; false if it was cancelled. */
  public boolean sort(int group) {
    boolean done = allocate() && load(group) && sort();
    return done && (!wide || (turnToUpperHalves(group) && sort()));
  }

  private boolean allocate() {
    for (int i = 0; i < entries.length && entries[i] == null; i++) {
      int length = Math.min(PIECE, from.count - i * PIECE);
      entries[i] = new long[length];
      spare[i] = new long[from.count > FEW ? length : 0];
      if (!lookout.goesOn(length)) {
        return false;
      }
    }
    return true;
  }

  private boolean load(int group) {
    return from.self.dtype().isFloating() ? loadReals(group) : loadIntegers(group);
  }

  private boolean loadReals(int group) {
    RealRow row = RealRow.of(from, lookout).of(group);
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        put(row.start() + i, wide ? key(values[i]) : narrowKey(values[i]));
      }
    }
    return lookout.fault() == null;
  }

  private boolean loadIntegers(int group) {
    IntegerRow row = new IntegerRow(from, lookout).of(group);
    for (int n = row.first(); n > 0; n = row.next()) {
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        put(row.start() + i, key(values[i]));
      }
    }
    return lookout.fault() == null;
  }

  private void put(int i, long key) {
    entries[i >> SHIFT][i & (PIECE - 1)] = key << Integer.SIZE | i;
  }

  /** As unsigned number in the order of the doubles; both zeros are one. */
  private long key(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return turned(bits < 0 ? ~bits : bits | Long.MIN_VALUE);
  }

  private long narrowKey(double value) {
    int bits = Float.floatToIntBits((float) value + 0f);
    return turned(bits < 0 ? ~bits : bits | Integer.MIN_VALUE);
  }

  /** As unsigned number in the order of the integers, whether of 64 bits or of 32. */
  private long key(long value) {
    return turned(wide ? value ^ Long.MIN_VALUE : value ^ Integer.MIN_VALUE);
  }

  private long turned(long key) {
    return descending ? ~key : key;
  }

  private boolean turnToUpperHalves(int group) {
    boolean real = from.self.dtype().isFloating();
    RealRow reals = RealRow.of(from, lookout).of(group);
    IntegerRow integers = new IntegerRow(from, lookout).of(group);
    for (long[] piece : entries) {
      for (int i = 0; i < piece.length; i++) {
        int element = (int) piece[i];
        long key = real ? key(reals.element(element)) : key(integers.element(element));
        piece[i] = (key & ~0xffffffffL) | element;
      }
      if (!lookout.goesOn(2L * piece.length)) {
        return false;
      }
    }
    return true;
  }

  /** Sorts by the upper halves of the entries; stable. */
  private boolean sort() {
    if (from.count <= FEW) {
      insert();
      return true;
    }
    int[][] counts = new int[Integer.BYTES][DIGITS];
    for (long[] piece : entries) {
      count(piece, counts);
      if (!lookout.goesOn(piece.length)) {
        return false;
      }
    }
    for (int digit = 0; digit < counts.length; digit++) {
      if (!allAlike(counts[digit]) && !distribute(Integer.SIZE + 8 * digit, counts[digit])) {
        return false;
      }
    }
    return true;
  }

  private void insert() {
    long[] few = entries.length == 0 ? new long[0] : entries[0];
    for (int i = 1; i < few.length; i++) {
      long moved = few[i];
      int to = i;
      for (; to > 0 && few[to - 1] >>> Integer.SIZE > moved >>> Integer.SIZE; to--) {
        few[to] = few[to - 1];
      }
      few[to] = moved;
    }
  }

  private static void count(long[] piece, int[][] counts) {
    int[] lowest = counts[0];
    int[] lower = counts[1];
    int[] upper = counts[2];
    int[] highest = counts[3];
    for (long entry : piece) {
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

  /** Moves the entries to the other array, by one digit. */
  private boolean distribute(int shift, int[] counts) {
    int[] next = new int[DIGITS];
    for (int digit = 1; digit < DIGITS; digit++) {
      next[digit] = next[digit - 1] + counts[digit - 1];
    }
    for (long[] piece : entries) {
      distribute(piece, spare, shift, next);
      if (!lookout.goesOn(piece.length)) {
        return false;
      }
    }
    long[][] sorted = spare;
    spare = entries;
    entries = sorted;
    return true;
  }

  private static void distribute(long[] piece, long[][] into, int shift, int[] next) {
    for (long entry : piece) {
      int to = next[(int) (entry >>> shift) & (DIGITS - 1)]++;
      into[to >> SHIFT][to & (PIECE - 1)] = entry;
    }
  }
}
