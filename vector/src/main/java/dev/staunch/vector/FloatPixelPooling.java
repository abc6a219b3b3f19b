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
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Pooling over images with channels last, a vector of channels at a time.
 *
 * @param channels of each image; likewise its other sizes, and those of the result
 */
record FloatPixelPooling(
    Request request,
    KernelSet others,
    int channels,
    int rows,
    int columns,
    int resultRows,
    int resultColumns)
    implements Pooling {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Approximate number of elements read per piece that other threads may take. */
  private static final long PIECE = 1 << 16;

  /**
   * Approximate number of elements of a window that are read between two checks for cancellation.
   */
  private static final long BAND = 1 << 18;

  /** The most pixels summed sequentially, which bounds how often their sum is rounded. */
  private static final int RUN = 64;

  /** Whether both sides are such images, with whole vectors of channels. */
  static boolean fits(Request request) {
    Shape input = request.input().shape();
    return request.dtype() == DType.FLOAT32
        && request.dims() == 2
        && input.rank() == 4
        && input.size(1) % LANES == 0
        && input.elements() > 0
        && request.result().shape().elements() > 0
        && Math.max(input.elements(), request.result().shape().elements()) < 1 << 28
        && !request.input().isContiguous()
        && request.input().isChannelsLast()
        && request.result().isChannelsLast();
  }

  /** Returns the pooling for a request that {@link #fits}. */
  static Pooling of(Request request, KernelSet others) {
    Shape input = request.input().shape();
    Shape result = request.result().shape();
    return new FloatPixelPooling(
        request,
        others,
        (int) input.size(1),
        (int) input.size(2),
        (int) input.size(3),
        (int) result.size(2),
        (int) result.size(3));
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    if (input.segment().isMapped()) {
      return others.pooling(request).run(context, input, result);
    }
    long lines = request.result().shape().size(0) * resultRows;
    long work = Math.max(1, (long) rows * columns * channels / resultRows);
    return context.parallel(
        lines,
        Math.max(1, PIECE / work),
        (first, end) -> {
          for (long line = first; line < end && context.cancelled() == null; line++) {
            int image = (int) (line / resultRows);
            line(context, input, image, (int) (line % resultRows), result);
          }
          return context.cancelled();
        });
  }

  /** Computes a row of pixels of the result. */
  private void line(
      ExecutionContext context, DenseTensor input, int image, int row, DenseTensor result) {
    long from = input.layout().offset() + (long) image * rows * columns * channels;
    long to =
        result.layout().offset() + ((long) image * resultRows + row) * resultColumns * channels;
    for (int column = 0; column < resultColumns; column++) {
      long target = to + (long) column * channels;
      if (request.rule() instanceof Rule.Maximum most) {
        int top = most.vertical().firstTap(row);
        int left = most.horizontal().firstTap(column);
        long first = (long) most.vertical().at(row, top) * columns;
        long at = from + (first + most.horizontal().at(column, left)) * channels;
        int height = most.vertical().endTap(row, rows) - top;
        int width = most.horizontal().endTap(column, columns) - left;
        long step = most.vertical().dilation() * (long) columns * channels;
        int y = 0;
        do {
          int some = Math.min(rowsOfBand(width), height - y);
          greatest(
              input.segment(),
              at + y * step,
              some,
              step,
              width,
              most.horizontal().dilation() * (long) channels,
              result.segment(),
              target,
              channels,
              y == 0);
          y += some;
        } while (y < height && context.cancelled() == null);
      } else {
        Rule.@Nullable Mean windows = request.rule() instanceof Rule.Mean mean ? mean : null;
        Window down = windows == null ? null : windows.vertical();
        Window across = windows == null ? null : windows.horizontal();
        int top = first(down, row, rows, resultRows);
        int bottom = end(down, row, rows, resultRows);
        int left = first(across, column, columns, resultColumns);
        int right = end(across, column, columns, resultColumns);
        float count =
            windows == null
                ? (float) (bottom - top) * (right - left)
                : windows.divisor(row, column, rows, columns);
        int y = top;
        do {
          int some = Math.min(rowsOfBand(right - left), bottom - y);
          mean(
              input.segment(),
              from + ((long) y * columns + left) * channels,
              some,
              (long) columns * channels,
              right - left,
              channels,
              result.segment(),
              target,
              channels,
              y == top,
              y + some == bottom ? count : 1);
          y += some;
        } while (y < bottom && context.cancelled() == null);
      }
    }
  }

  /** The first element along a dimension that a result covers; null for even parts of it. */
  private static int first(@Nullable Window window, int result, int size, int results) {
    return window == null
        ? (int) ((long) result * size / results)
        : Math.max(0, window.at(result, 0));
  }

  /** The element after the last that a result covers. */
  private static int end(@Nullable Window window, int result, int size, int results) {
    if (window == null) {
      return (int) Math.ceilDiv((result + 1L) * size, (long) results);
    }
    int end = Math.min(window.at(result, 0) + window.kernel(), size);
    return Math.max(end, first(window, result, size, results));
  }

  /** Rows per band for a window of that width. */
  private int rowsOfBand(int width) {
    return (int) Math.max(1, BAND / (Math.max(1, width) * (long) channels));
  }

  private static void greatest(
      MemorySegment from,
      long at,
      int rows,
      long rowStep,
      int columns,
      long step,
      MemorySegment into,
      long to,
      int channels,
      boolean begins) {
    NativeSegments.require(from, into);
    for (int i = 0; i < channels; i += LANES) {
      FloatVector most =
          begins
              ? FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY)
              : FloatVector.fromMemorySegment(SPECIES, into, (to + i) * Float.BYTES, ORDER);
      for (int y = 0; y < rows; y++) {
        long place = (at + y * rowStep + i) * Float.BYTES;
        for (int x = 0; x < columns; x++) {
          most = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER).max(most);
          place += step * Float.BYTES;
        }
      }
      most.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
    }
  }

  /**
   * Sums runs of pixels in a row, then rows, then bands: this way fewer sums are rounded one after
   * another.
   */
  private static void mean(
      MemorySegment from,
      long at,
      int rows,
      long rowStep,
      int columns,
      long step,
      MemorySegment into,
      long to,
      int channels,
      boolean begins,
      float count) {
    NativeSegments.require(from, into);
    for (int i = 0; i < channels; i += LANES) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int y = 0; y < rows; y++) {
        long place = (at + y * rowStep + i) * Float.BYTES;
        FloatVector row = FloatVector.zero(SPECIES);
        for (int x = 0; x < columns; x += RUN) {
          FloatVector run = FloatVector.zero(SPECIES);
          for (int end = Math.min(x + RUN, columns), k = x; k < end; k++) {
            run = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER).add(run);
            place += step * Float.BYTES;
          }
          row = row.add(run);
        }
        sum = sum.add(row);
      }
      if (!begins) {
        sum = sum.add(FloatVector.fromMemorySegment(SPECIES, into, (to + i) * Float.BYTES, ORDER));
      }
      sum.div(count).intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
    }
  }
}
