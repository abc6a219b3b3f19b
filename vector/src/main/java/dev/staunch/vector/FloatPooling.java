package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Pooling with a stride of one or two: first over the rows that a window covers, then along the
 * resulting row, which has its padding on both sides. Maxima of adjacent 2 x 2 squares, the most
 * common case, are read in place.
 *
 * @param mean null for maxima
 */
record FloatPooling(
    Request request, KernelSet others, Window vertical, Window horizontal, Rule.@Nullable Mean mean)
    implements Pooling {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);
  private static final VectorShuffle<Float> ODD = VectorShuffle.makeUnzip(SPECIES, 1);
  private static final long HALF = SPECIES.vectorByteSize();
  private static final Window NO_WINDOW = new Window(1, 1, 0, 0, 1);

  private static final int MOST_COMPARED = 1 << 20;

  /** Along each dimension of a window; longer sums would be rounded too often. */
  private static final int MOST_ADDED = 64;

  /** Elements per piece that other threads may take. */
  private static final long PIECE = 1 << 15;

  /** Returns this pooling, or that of {@code others} if it does not fit. */
  static Pooling of(Request request, KernelSet others) {
    Shape input = request.input().shape();
    boolean fits =
        request.dtype() == DType.FLOAT32
            && input.elements() > 0
            && request.result().shape().elements() > 0
            && Math.max(input.elements(), request.result().shape().elements()) < 1 << 28
            && request.input().isContiguous()
            && request.result().isContiguous();
    return switch (request.rule()) {
      case Rule.Maximum most when fits && fits(most.horizontal(), MOST_COMPARED) ->
          new FloatPooling(
              request, others, down(request, most.vertical()), most.horizontal(), null);
      case Rule.Mean mean
          when fits && fits(mean.horizontal(), MOST_ADDED) && fits(mean.vertical(), MOST_ADDED) ->
          new FloatPooling(
              request, others, down(request, mean.vertical()), mean.horizontal(), mean);
      case Rule.AdaptiveMean() when fits -> FloatPlaneMeans.of(request, others);
      default -> others.pooling(request);
    };
  }

  private static boolean fits(Window window, int most) {
    return window.stride() <= 2 && window.extent() < most;
  }

  private static Window down(Request request, Window vertical) {
    return request.dims() == 2 ? vertical : NO_WINDOW;
  }

  private static int size(Shape shape, int fromEnd) {
    return (int) shape.size(shape.rank() - fromEnd);
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    if (input.segment().isMapped()) {
      return others.pooling(request).run(context, input, result);
    }
    int rows = request.dims() == 2 ? size(request.input().shape(), 2) : 1;
    int columns = size(request.input().shape(), 1);
    int resultRows = request.dims() == 2 ? size(request.result().shape(), 2) : 1;
    int resultColumns = size(request.result().shape(), 1);
    long planes = request.input().shape().elements() / rows / columns;
    if (mean == null
        && isSquare(vertical, resultRows, rows)
        && isSquare(horizontal, resultColumns, columns)) {
      boolean joined = resultRows * 2 == rows; // adjacent planes then act as one higher plane
      return context.parallel(
          planes,
          Math.max(1, PIECE / ((long) rows * columns)),
          (first, end) -> {
            int each = joined ? (int) (end - first) : 1;
            for (long plane = first; plane < end; plane += each) {
              long from = input.layout().offset() + plane * rows * columns;
              long to = result.layout().offset() + plane * resultRows * resultColumns;
              int height = resultRows * each;
              squares(input.segment(), from, columns, result.segment(), to, height, resultColumns);
            }
            return context.cancelled();
          });
    }
    return context.parallel(
        planes,
        Math.max(1, PIECE / ((long) rows * columns)),
        (first, end) -> {
          int room = (resultColumns + 2 * LANES) * horizontal.stride() + horizontal.extent();
          long line = (long) room + horizontal.before() + columns;
          Object made =
              DenseTensor.allocate(
                  context.scope(),
                  DType.FLOAT32,
                  Shape.of(line + (mean == null ? 0 : resultColumns)));
          if (!(made instanceof DenseTensor scratch)) {
            return (Fault) made;
          }
          try {
            fill(scratch.segment(), line, mean == null ? Float.NEGATIVE_INFINITY : 0);
            for (int x = 0; mean != null && x < resultColumns; x++) {
              float count = mean.divisor() == null ? mean.counted(horizontal, x, columns) : 1;
              scratch.segment().setAtIndex(ValueLayout.JAVA_FLOAT, line + x, count);
            }
            for (long plane = first; plane < end; plane++) {
              long from = input.layout().offset() + plane * rows * columns;
              long to = result.layout().offset() + plane * resultRows * resultColumns;
              for (int y = 0; y < resultRows; y++) {
                long row = from + (long) vertical.at(y, 0) * columns;
                int firstTap = vertical.firstTap(y);
                int endTap = vertical.endTap(y, rows);
                long step = vertical.dilation() * (long) columns;
                MemorySegment work = scratch.segment();
                MemorySegment into = result.segment();
                long target = to + (long) y * resultColumns;
                int start = horizontal.before();
                if (mean == null) {
                  down(input.segment(), row, step, firstTap, endTap, work, start, columns);
                  across(work, horizontal, into, target, resultColumns);
                } else {
                  int taps = endTap - firstTap;
                  long top = row + firstTap * step;
                  Long given = mean.divisor();
                  float count = given == null ? mean.counted(vertical, y, rows) : given;
                  FloatMeans.down(input.segment(), top, step, taps, work, start, columns);
                  FloatMeans.across(work, horizontal, line, count, into, target, resultColumns);
                }
              }
            }
            return context.cancelled();
          } finally {
            scratch.close();
          }
        });
  }

  private static boolean isSquare(Window window, int results, int inputs) {
    return window.kernel() == 2
        && window.stride() == 2
        && window.dilation() == 1
        && window.before() == 0
        && results * 2 <= inputs;
  }

  /**
   * Computes the maximum of each 2 x 2 square of a plane; positions count elements. Rows are
   * computed in whole vectors: what one row writes beyond its end, the next one overwrites. Only in
   * the last rows, which would read or write beyond the plane, is the last vector masked.
   */
  private static void squares(
      MemorySegment from, long at, int columns, MemorySegment into, long to, int rows, int count) {
    int width = Math.ceilDiv(count, LANES) * LANES;
    int read = Math.floorDiv((2 * rows - 1) * columns - 2 * width, 2 * columns) + 1;
    int written = Math.floorDiv(rows * count - width, count) + 1;
    int safe = Math.clamp(Math.min(read, written), 0, rows);
    int done = 0;
    if (width == LANES) {
      narrowSquares(from, at, columns, into, to, safe, count);
      done = safe;
    }
    if (done < rows) {
      squares(from, at, columns, into, to, done, safe, rows, count);
    }
  }

  /** Rows of at most as many squares as a vector has lanes, in whole vectors. */
  private static void narrowSquares(
      MemorySegment from, long at, int columns, MemorySegment into, long to, int rows, int count) {
    NativeSegments.require(from, into);
    long step = columns * (long) Float.BYTES;
    for (int y = 0; y < rows; y++) {
      long place = (at + 2L * y * columns) * Float.BYTES;
      FloatVector x =
          FloatVector.fromMemorySegment(SPECIES, from, place, ORDER)
              .max(FloatVector.fromMemorySegment(SPECIES, from, place + step, ORDER));
      FloatVector z =
          FloatVector.fromMemorySegment(SPECIES, from, place + HALF, ORDER)
              .max(FloatVector.fromMemorySegment(SPECIES, from, place + HALF + step, ORDER));
      x.rearrange(EVEN, z)
          .max(x.rearrange(ODD, z))
          .intoMemorySegment(into, (to + (long) y * count) * Float.BYTES, ORDER);
    }
  }

  /**
   * Rows from {@code first} on; those from {@code safe} on end with a masked vector. This method is
   * long so that HotSpot does not inline it: with two such loops in one method, it leaves parts of
   * them out.
   */
  private static void squares(
      MemorySegment from,
      long at,
      int columns,
      MemorySegment into,
      long to,
      int first,
      int safe,
      int rows,
      int count) {
    NativeSegments.require(from, into);
    long step = columns * (long) Float.BYTES;
    int width = Math.ceilDiv(count, LANES) * LANES;
    int left = 2 * (count - width + LANES);
    VectorMask<Float> rest = SPECIES.indexInRange(0, left / 2);
    VectorMask<Float> low = SPECIES.indexInRange(0, left);
    VectorMask<Float> high = SPECIES.indexInRange(LANES, left);
    for (int y = first; y < rows; y++) {
      long place = (at + 2L * y * columns) * Float.BYTES;
      long target = (to + (long) y * count) * Float.BYTES;
      int whole = y < safe ? width : width - LANES;
      for (int i = 0; i < whole; i += LANES) {
        FloatVector x =
            FloatVector.fromMemorySegment(SPECIES, from, place, ORDER)
                .max(FloatVector.fromMemorySegment(SPECIES, from, place + step, ORDER));
        FloatVector z =
            FloatVector.fromMemorySegment(SPECIES, from, place + HALF, ORDER)
                .max(FloatVector.fromMemorySegment(SPECIES, from, place + HALF + step, ORDER));
        x.rearrange(EVEN, z)
            .max(x.rearrange(ODD, z))
            .intoMemorySegment(into, target + i * (long) Float.BYTES, ORDER);
        place += 2 * HALF;
      }
      if (whole < width) {
        long lower = place + step;
        FloatVector x =
            FloatVector.fromMemorySegment(SPECIES, from, place, ORDER, low)
                .max(FloatVector.fromMemorySegment(SPECIES, from, lower, ORDER, low));
        FloatVector z =
            FloatVector.fromMemorySegment(SPECIES, from, place + HALF, ORDER, high)
                .max(FloatVector.fromMemorySegment(SPECIES, from, lower + HALF, ORDER, high));
        x.rearrange(EVEN, z)
            .max(x.rearrange(ODD, z))
            .intoMemorySegment(into, target + whole * (long) Float.BYTES, ORDER, rest);
      }
    }
  }

  private static void fill(MemorySegment row, long count, float value) {
    for (long i = 0; i < count; i++) {
      row.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    }
  }

  /** The maximum over some rows; positions count elements. */
  private static void down(
      MemorySegment from,
      long at,
      long step,
      int firstRow,
      int endRow,
      MemorySegment into,
      long to,
      int count) {
    NativeSegments.require(from, into);
    for (int i = 0; i < count; i += LANES) {
      FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
      if (i + LANES <= count) {
        for (int row = firstRow; row < endRow; row++) {
          long place = (at + row * step + i) * Float.BYTES;
          most = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER).max(most);
        }
        most.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
      } else {
        VectorMask<Float> rest = SPECIES.indexInRange(i, count);
        for (int row = firstRow; row < endRow; row++) {
          long place = (at + row * step + i) * Float.BYTES;
          most = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER, rest).max(most);
        }
        most.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER, rest);
      }
    }
  }

  /** The maximum of windows along a row, which is long enough to be read in whole vectors. */
  private static void across(
      MemorySegment from, Window window, MemorySegment into, long to, int count) {
    NativeSegments.require(from, into);
    int taps = window.kernel();
    int dilation = window.dilation();
    boolean inTwos = window.stride() == 2;
    for (int i = 0; i < count; i += LANES) {
      FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
      for (int tap = 0; tap < taps; tap++) {
        long place = (inTwos ? 2L * i : i) + (long) tap * dilation;
        FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, place * Float.BYTES, ORDER);
        if (inTwos) {
          long next = (place + LANES) * Float.BYTES;
          x = x.rearrange(EVEN, FloatVector.fromMemorySegment(SPECIES, from, next, ORDER));
        }
        most = x.max(most);
      }
      if (i + LANES <= count) {
        most.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
      } else {
        most.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER, SPECIES.indexInRange(i, count));
      }
    }
  }
}
