package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Strides;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Copies elements that are contiguous along one dimension in the source and along another in the
 * target: a square at a time, through arrays, so that both are read and written contiguously.
 */
final class TransposingCopy {
  /** The number of rows and columns of a square. */
  private static final int SIDE = 64;

  /** With fewer rows or columns, copying one element at a time is no slower. */
  private static final int LEAST = 4;

  private final CancellationPoll poll;
  private final MemorySegment source;
  private final MemorySegment target;
  private final Strides planes;

  /** Contiguous in the source, {@code rowStep} apart in the target. */
  private final long rows;

  private final long rowStep;

  /** Contiguous in the target, {@code columnStep} apart in the source. */
  private final long columns;

  private final long columnStep;
  private final int[] ints;
  private final int[] turnedInts;
  private final long[] longs;
  private final long[] turnedLongs;

  private TransposingCopy(
      CancellationPoll poll,
      DenseTensor source,
      Layout from,
      DenseTensor target,
      Layout to,
      int row) {
    int column = to.shape().rank() - 1;
    this.poll = poll;
    this.source = source.segment();
    this.target = target.segment();
    this.planes = Strides.of(without(to, row, column), without(from, row, column));
    this.rows = to.shape().size(row);
    this.rowStep = to.stride(row);
    this.columns = to.shape().size(column);
    this.columnStep = from.stride(column);
    boolean wide = source.dtype().bytes() == Long.BYTES;
    this.ints = new int[wide ? 0 : SIDE * SIDE];
    this.turnedInts = new int[ints.length];
    this.longs = new long[wide ? SIDE * SIDE : 0];
    this.turnedLongs = new long[longs.length];
  }

  /**
   * The copy between layouts of one shape, if they are of this kind; else null.
   *
   * @param to with the dimension of the smallest stride last
   */
  static @Nullable TransposingCopy of(
      CancellationPoll poll, DenseTensor source, Layout from, DenseTensor target, Layout to) {
    int bytes = source.dtype().bytes();
    int last = to.shape().rank() - 1;
    if ((bytes != Integer.BYTES && bytes != Long.BYTES)
        || last < 1
        || to.stride(last) != 1
        || from.stride(last) <= 1
        || to.shape().size(last) < 2) {
      return null;
    }
    for (int d = 0; d < last; d++) {
      boolean worth = to.shape().size(last) >= LEAST || to.stride(d) == to.shape().size(last);
      if (worth && from.stride(d) == 1 && from.shape().size(d) >= LEAST) {
        return new TransposingCopy(poll, source, from, target, to, d);
      }
    }
    return null;
  }

  private static Layout without(Layout layout, int one, int other) {
    int rank = layout.shape().rank() - 2;
    long[] sizes = new long[rank];
    long[] strides = new long[rank];
    int kept = 0;
    for (int d = 0; d < layout.shape().rank(); d++) {
      if (d != one && d != other) {
        sizes[kept] = layout.shape().size(d);
        strides[kept++] = layout.stride(d);
      }
    }
    return new Layout(Shape.of(sizes), strides, layout.offset());
  }

  /** Copies all elements, unless the poll sees a cancellation. */
  void run() {
    long[] index = planes.index();
    long[] at = planes.start();
    do {
      for (long i = 0; i < planes.width() && poll.fault() == null; i++) {
        plane(at[1] + i * planes.step(1), at[0] + i * planes.step(0));
      }
    } while (poll.fault() == null && planes.next(index, at));
  }

  private void plane(long from, long to) {
    if (columns < LEAST) {
      interleave(from, to, (int) columns);
      return;
    }
    for (long row = 0; row < rows; row += SIDE) {
      int height = (int) Math.min(SIDE, rows - row);
      for (long column = 0; column < columns; column += SIDE) {
        int width = (int) Math.min(SIDE, columns - column);
        long first = from + row + column * columnStep;
        if (ints.length > 0) {
          squareOfInts(first, to + row * rowStep + column, height, width);
        } else {
          squareOfLongs(first, to + row * rowStep + column, height, width);
        }
        if (!poll.mayContinue((long) height * width)) {
          return;
        }
      }
    }
  }

  /** Few columns, without gaps in the target: many rows of it at once. */
  private void interleave(long from, long to, int width) {
    int most = SIDE * SIDE / width;
    for (long row = 0; row < rows; row += most) {
      int height = (int) Math.min(most, rows - row);
      long first = to + row * width;
      for (int c = 0; c < width; c++) {
        long at = from + row + c * columnStep;
        if (ints.length > 0) {
          MemorySegment.copy(source, JAVA_INT, at * Integer.BYTES, ints, 0, height);
          spread(ints, turnedInts, c, width, height);
        } else {
          MemorySegment.copy(source, JAVA_LONG, at * Long.BYTES, longs, 0, height);
          spread(longs, turnedLongs, c, width, height);
        }
      }
      if (ints.length > 0) {
        MemorySegment.copy(turnedInts, 0, target, JAVA_INT, first * Integer.BYTES, height * width);
      } else {
        MemorySegment.copy(turnedLongs, 0, target, JAVA_LONG, first * Long.BYTES, height * width);
      }
      if (!poll.mayContinue((long) height * width)) {
        return;
      }
    }
  }

  private static void spread(int[] from, int[] into, int first, int step, int count) {
    for (int i = 0; i < count; i++) {
      into[first + i * step] = from[i];
    }
  }

  private static void spread(long[] from, long[] into, int first, int step, int count) {
    for (int i = 0; i < count; i++) {
      into[first + i * step] = from[i];
    }
  }

  private void squareOfInts(long from, long to, int height, int width) {
    for (int c = 0; c < width; c++) {
      long at = (from + c * columnStep) * Integer.BYTES;
      MemorySegment.copy(source, JAVA_INT, at, ints, c * SIDE, height);
    }
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < width; c++) {
        turnedInts[r * SIDE + c] = ints[c * SIDE + r];
      }
    }
    for (int r = 0; r < height; r++) {
      long at = (to + r * rowStep) * Integer.BYTES;
      MemorySegment.copy(turnedInts, r * SIDE, target, JAVA_INT, at, width);
    }
  }

  private void squareOfLongs(long from, long to, int height, int width) {
    for (int c = 0; c < width; c++) {
      long at = (from + c * columnStep) * Long.BYTES;
      MemorySegment.copy(source, JAVA_LONG, at, longs, c * SIDE, height);
    }
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < width; c++) {
        turnedLongs[r * SIDE + c] = longs[c * SIDE + r];
      }
    }
    for (int r = 0; r < height; r++) {
      long at = (to + r * rowStep) * Long.BYTES;
      MemorySegment.copy(turnedLongs, r * SIDE, target, JAVA_LONG, at, width);
    }
  }
}
