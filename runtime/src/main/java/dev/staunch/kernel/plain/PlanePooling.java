package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Plane;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One run of a pooling, in doubles, plane by plane. */
final class PlanePooling {
  private static final int TILE = 1024;

  /** Fewer outputs in a row are faster one after the other. */
  private static final int FEW = 4;

  /** Reduces the window of each of {@code count} outputs of a row; polls for cancellation. */
  private interface Reduction {
    void over(Plane plane, int row, int first, int count, double[] results);
  }

  /** Reduces the window of one output. */
  private interface One {
    double over(Plane plane, int row, int column);
  }

  private final CancellationPoll poll;
  private final DenseTensor input;
  private final DenseTensor target;
  private final Plane plane;
  private final Places starts;
  private final long rowStride;
  private final long columnStride;
  private final int height;
  private final int width;
  private final int rows;
  private final int columns;

  PlanePooling(ExecutionContext context, DenseTensor input, DenseTensor target, int dims) {
    this.poll = new CancellationPoll(context);
    this.input = input;
    this.target = target;
    this.plane = new Plane(input, dims);
    this.height = plane.height();
    this.width = plane.width();
    Layout layout = target.layout();
    int last = layout.shape().rank() - 1;
    this.rows = dims == 1 ? 1 : Shape.asInt(layout.shape().size(last - 1));
    this.columns = Shape.asInt(layout.shape().size(last));
    this.rowStride = dims == 1 ? 0 : layout.stride(last - 1);
    this.columnStride = layout.stride(last);
    this.starts = Plane.starts(layout, dims);
  }

  /** Writes all of the target; returns the fault of a cancellation, or null. */
  @Nullable Fault run(Pooling.Rule rule) {
    Reduction reduction =
        switch (rule) {
          case Pooling.Rule.Maximum most ->
              maximum(new Window[] {most.vertical(), most.horizontal()});
          case Pooling.Rule.Mean mean ->
              mean(
                  new Window[] {mean.vertical(), mean.horizontal()},
                  mean.countPadding(),
                  mean.divisor());
          case Pooling.Rule.AdaptiveMean() -> adaptiveMean();
        };
    double[] results = new double[Math.min(columns, TILE)];
    float[] rounded = new float[target.dtype() == DType.FLOAT32 ? results.length : 0];
    long planes = input.elements() / ((long) height * width);
    for (long number = 0; number < planes; number++) {
      plane.of(number);
      long first = starts.at(number);
      for (int row = 0; row < rows; row++) {
        for (int start = 0; start < columns; start += TILE) {
          int count = Math.min(TILE, columns - start);
          reduction.over(plane, row, start, count, results);
          if (poll.fault() != null) {
            return poll.fault();
          }
          store(results, rounded, first + row * rowStride + start * columnStride, count);
        }
      }
    }
    return null;
  }

  /** Floats pass through an array: a loop over a segment is slow until it is compiled. */
  private void store(double[] results, float[] rounded, long to, int count) {
    if (rounded.length == 0) {
      Operand.of(target).store(results, to, columnStride, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      rounded[i] = (float) results[i];
    }
    Operand.of(target).store(rounded, to, columnStride, count);
  }

  private Reduction each(One one) {
    return (plane, row, first, count, results) -> {
      for (int i = 0; i < count && poll.mayContinue(1); i++) {
        results[i] = one.over(plane, row, first + i);
      }
    };
  }

  private Reduction maximum(Window[] windows) {
    Reduction byWindow = each((plane, row, column) -> maximum(plane, windows, row, column));
    return (plane, row, first, count, results) -> {
      if (count < FEW) {
        byWindow.over(plane, row, first, count, results);
        return;
      }
      Arrays.fill(results, 0, count, Double.NEGATIVE_INFINITY);
      int end = windows[0].endTap(row, height);
      for (int y = windows[0].firstTap(row); y < end; y++) {
        int line = windows[0].at(row, y);
        for (int x = 0; x < windows[1].kernel() && poll.mayContinue(count); x++) {
          tap(plane, line, windows[1], x, first, count, results);
        }
      }
    };
  }

  /** Replaces results by one element of each window where it is greater. */
  private void tap(
      Plane plane, int line, Window window, int tap, int first, int count, double[] results) {
    boolean starts = window.at(first, tap) >= 0;
    boolean ends = window.at(first + count - 1, tap) < width;
    int from = starts ? 0 : Math.max(0, window.firstInside(tap) - first);
    int to = ends ? count : Math.min(count, window.endInside(tap, width) - first);
    plane.raise(line, window.at(first + from, tap), window.stride(), results, from, to);
  }

  private double maximum(Plane plane, Window[] windows, int row, int column) {
    int step = windows[1].dilation();
    int first = windows[1].firstTap(column);
    int left = windows[1].at(column, first);
    int taps = windows[1].endTap(column, width) - first;
    int end = windows[0].endTap(row, height);
    double best = Double.NEGATIVE_INFINITY;
    for (int y = windows[0].firstTap(row); y < end; y++) {
      int line = windows[0].at(row, y);
      for (int x = 0; x < taps && poll.fault() == null; x += TILE) {
        int count = Math.min(TILE, taps - x);
        best = plane.greatest(line, left + x * step, step, count, best);
        poll.mayContinue(count);
      }
    }
    return best;
  }

  private Reduction mean(Window[] windows, boolean countPadding, @Nullable Long divisor) {
    return each((plane, row, column) -> {
      int top = windows[0].at(row, 0);
      int left = windows[1].at(column, 0);
      int bottom = Math.min(top + windows[0].kernel(), height + windows[0].after());
      int right = Math.min(left + windows[1].kernel(), width + windows[1].after());
      long padded = (long) (bottom - top) * (right - left);
      int y0 = Math.max(0, top);
      int x0 = Math.max(0, left);
      int y1 = Math.min(bottom, height);
      int x1 = Math.min(right, width);
      long inside = (long) (y1 - y0) * (x1 - x0);
      if (y1 <= y0 || x1 <= x0) {
        return 0;
      }
      long count = divisor != null ? divisor : countPadding ? padded : inside;
      return sum(plane, y0, y1, x0, x1) / count;
    });
  }

  private Reduction adaptiveMean() {
    return each((plane, row, column) -> {
      int y0 = (int) ((long) row * height / rows);
      int y1 = (int) Math.ceilDiv((row + 1L) * height, (long) rows);
      int x0 = (int) ((long) column * width / columns);
      int x1 = (int) Math.ceilDiv((column + 1L) * width, (long) columns);
      return sum(plane, y0, y1, x0, x1) / ((long) (y1 - y0) * (x1 - x0));
    });
  }

  private double sum(Plane plane, int y0, int y1, int x0, int x1) {
    if (!isSmall((long) (y1 - y0) * (x1 - x0))) {
      return sumOfMany(plane, y0, y1, x0, x1);
    }
    double sum = 0;
    for (int y = y0; y < y1; y++) {
      for (int x = x0; x < x1; x++) {
        sum += plane.at(y, x);
      }
    }
    return sum;
  }

  private double sumOfMany(Plane plane, int y0, int y1, int x0, int x1) {
    double sum = 0;
    for (int y = y0; y < y1; y++) {
      for (int x = x0; x < x1 && poll.fault() == null; x += TILE) {
        int count = Math.min(TILE, x1 - x);
        sum = plane.sum(y, x, count, sum);
        poll.mayContinue(count);
      }
    }
    return sum;
  }

  /** Whether one poll after each window of this many elements is enough. */
  private boolean isSmall(long area) {
    poll.mayContinue(Math.min(area, TILE));
    return area <= TILE;
  }
}
