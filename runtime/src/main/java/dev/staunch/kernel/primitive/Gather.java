package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Moves elements of one dtype from and to arbitrary positions. Positions count elements of a
 * segment; the caller has checked that they lie in it. No call may read memory that it writes. Each
 * method returns the fault of a cancellation or of an {@linkplain Indices index}, or null.
 */
public interface Gather {
  /** The positions of elements; requested in order. */
  @FunctionalInterface
  interface Positions {
    /** Stores the positions of the elements {@code first} to {@code first + count} in an array. */
    void load(long first, int count, long[] into);
  }

  /** Neighbouring elements from {@code start} on. */
  record Row(long start) implements Positions {
    @Override
    public void load(long first, int count, long[] into) {
      for (int i = 0; i < count; i++) {
        into[i] = start + first + i;
      }
    }
  }

  /**
   * Lines of {@code size} neighbouring elements, and as many lines of an index, each of which names
   * {@code width} elements of its own line.
   *
   * @param starts the position of the first element of each line
   * @param size at least 1
   */
  record Lines(long count, Positions starts, int size, Indices indices, int width) {
    /** From this many indices on, it pays to bring a line near first. */
    private static final int WIDE = 64;

    /** A line has at most this many times as many elements as are named. */
    private static final int SPREAD = 4;

    private static final int MOST = 1 << 14;

    long elements() {
      return count * width;
    }

    /** Whether such lines are worth moving one by one. */
    public static boolean fit(long size, long width) {
      return width >= WIDE && width <= Integer.MAX_VALUE && size <= Math.min(MOST, SPREAD * width);
    }
  }

  /**
   * Lines of evenly spaced int64 in memory. Unlike positions, they are checked where they are used:
   * the first one that is out of bounds ends the work, and what was written by then is discarded.
   *
   * @param starts the position of each line's first index
   * @param step the distance from one index of a line to the next
   */
  record Indices(MemorySegment segment, Positions starts, long step, Outside outside) {
    /** The fault of the index at position {@code at}, the {@code number}th of all lines. */
    public Fault fault(long at, long number) {
      return outside.fault(segment.getAtIndex(ValueLayout.JAVA_LONG, at), number);
    }
  }

  /** Makes the fault of an index that is out of bounds. */
  @FunctionalInterface
  interface Outside {
    Fault fault(long index, long number);
  }

  /** Copies the elements that {@code lines} name to a contiguous row that starts at {@code to}. */
  default @Nullable Fault gather(
      ExecutionContext context, MemorySegment from, Lines lines, MemorySegment into, long to) {
    @Nullable Fault[] outside = new Fault[1];
    Fault stop = gather(context, from, named(lines, outside), lines.elements(), into, to);
    return outside[0] == null ? stop : outside[0];
  }

  /**
   * Writes or adds the lines of elements that start at {@code sources} to the elements that {@code
   * lines} name, as {@link #scatter} and {@link #add} do. No other code may use the target's lines
   * meanwhile.
   */
  default @Nullable Fault scatter(
      ExecutionContext context,
      MemorySegment from,
      Positions sources,
      MemorySegment into,
      Lines lines,
      boolean adds) {
    @Nullable Fault[] outside = new Fault[1];
    Positions each = inLines(sources, lines.width());
    Positions targets = named(lines, outside);
    Fault stop =
        adds
            ? add(context, from, each, lines.elements(), into, targets)
            : scatter(context, from, each, lines.elements(), into, targets);
    return outside[0] == null ? stop : outside[0];
  }

  /**
   * The positions that {@code lines} name. An index that is out of bounds names the first element
   * of its line.
   *
   * @param outside gets the fault of the first such index
   */
  private static Positions named(Lines lines, @Nullable Fault[] outside) {
    Indices indices = lines.indices();
    Positions starts = inLines(lines.starts(), lines.width());
    return (first, count, into) -> {
      starts.load(first, count, into);
      long[] start = new long[1];
      int column = (int) (first % lines.width());
      for (int done = 0; done < count; column = 0) {
        int run = Math.min(lines.width() - column, count - done);
        indices.starts().load((first + done) / lines.width(), 1, start);
        for (int i = 0; i < run; i++) {
          long at = start[0] + (column + i) * indices.step();
          long index = indices.segment().getAtIndex(ValueLayout.JAVA_LONG, at);
          boolean isInside = index >= 0 && index < lines.size();
          if (!isInside && outside[0] == null) {
            outside[0] = indices.fault(at, first + done + i);
          }
          into[done + i] += (isInside ? index : 0) - column - i;
        }
        done += run;
      }
    };
  }

  /** The positions of {@code width} neighbours from each of {@code starts} on. */
  private static Positions inLines(Positions starts, int width) {
    return (first, count, into) -> {
      long[] start = new long[1];
      int column = (int) (first % width);
      for (int done = 0; done < count; column = 0) {
        int run = Math.min(width - column, count - done);
        starts.load((first + done) / width, 1, start);
        for (int i = 0; i < run; i++) {
          into[done + i] = start[0] + column + i;
        }
        done += run;
      }
    };
  }

  /** Copies {@code count} elements to a contiguous row that starts at {@code to}. */
  @Nullable Fault gather(
      ExecutionContext context,
      MemorySegment from,
      Positions positions,
      long count,
      MemorySegment into,
      long to);

  /**
   * Copies the same elements of several rows: those at each of {@code offsets} from each of the
   * {@code rows} positions in {@code starts}, to contiguous memory that begins at {@code to}.
   *
   * @param offsets not empty; not changed
   */
  default @Nullable Fault gatherRows(
      ExecutionContext context,
      MemorySegment from,
      Positions starts,
      long rows,
      long[] offsets,
      MemorySegment into,
      long to) {
    Positions all =
        (first, count, at) -> {
          long[] start = new long[1];
          int column = (int) (first % offsets.length);
          for (int done = 0; done < count; column = 0) {
            int run = Math.min(offsets.length - column, count - done);
            starts.load((first + done) / offsets.length, 1, start);
            for (int i = 0; i < run; i++) {
              at[done + i] = start[0] + offsets[column + i];
            }
            done += run;
          }
        };
    return gather(context, from, all, rows * offsets.length, into, to);
  }

  /**
   * Copies {@code count} elements in order: if several go to one position, the last one remains.
   */
  @Nullable Fault scatter(
      ExecutionContext context,
      MemorySegment from,
      Positions sources,
      long count,
      MemorySegment into,
      Positions targets);

  /** Adds {@code count} elements in order, rounding each sum to the dtype. */
  @Nullable Fault add(
      ExecutionContext context,
      MemorySegment from,
      Positions sources,
      long count,
      MemorySegment into,
      Positions targets);
}
