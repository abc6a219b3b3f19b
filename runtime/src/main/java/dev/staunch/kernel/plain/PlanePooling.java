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

  /** Windows up to this far apart are summed a row of them at a time. */
  private static final int SPAN = 4;

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
          case Pooling.Rule.Mean mean -> mean(mean);
          case Pooling.Rule.AdaptiveMean() -> adaptiveMean();
        };
    double[] results = new double[Math.min(columns, TILE)];
    float[] rounded = new float[target.dtype() == DType.FLOAT32 ? results.length : 0];
    long planes = input.elements() / ((long) height * width);
    for (long number = 0; number < planes && poll.fault() == null; number++) {
      plane.of(number);
      long first = starts.at(number);
      for (int row = 0; row < rows && poll.fault() == null; row++) {
        run(reduction, row, first + row * rowStride, results, rounded);
      }
    }
    return poll.fault();
  }

  /** A row of results; apart, so that C2 compiles it once and not in each loop around it. */
  private void run(Reduction reduction, int row, long to, double[] results, float[] rounded) {
    for (int start = 0, count; start < columns; start += count) {
      count = Math.min(TILE, columns - start);
      reduction.over(plane, row, start, count, results);
      if (poll.fault() != null) {
        return;
      }
      store(results, rounded, to + start * columnStride, count);
    }
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
      for (int x = 0, count; x < taps && poll.fault() == null; x += count) {
        count = Math.min(TILE, taps - x);
        best = plane.greatest(line, left + x * step, step, count, best);
        poll.mayContinue(count);
      }
    }
    return best;
  }

  private Reduction mean(Pooling.Rule.Mean rule) {
    Window down = rule.vertical();
    Window across = rule.horizontal();
    Reduction byWindow = each((plane, row, column) -> mean(plane, rule, row, column));
    boolean floats = input.dtype() == DType.FLOAT32;
    int most = TILE * Math.min(SPAN, across.stride()) + TILE / SPAN;
    float[] line = new float[floats ? most : 0];
    return (plane, row, first, count, results) -> {
      int left = Math.max(0, across.at(first, 0));
      int right = Math.min(width, across.at(first + count - 1, 0) + across.kernel());
      if (count < FEW || across.kernel() > TILE / SPAN || right - left > line.length) {
        byWindow.over(plane, row, first, count, results);
        return;
      }
      Arrays.fill(results, 0, count, 0);
      int end = down.endTap(row, height);
      for (int y = down.firstTap(row); y < end; y++) {
        plane.load(down.at(row, y), left, right - left, line);
        for (int x = 0; x < across.kernel() && poll.mayContinue(count); x++) {
          int at = across.at(first, x);
          int from = Math.clamp(across.firstInside(x) - first, 0, count);
          int to = Math.clamp(across.endInside(x, width) - first, 0, count);
          add(line, at - left, across.stride(), results, from, to);
        }
      }
      for (int i = 0; i < count; i++) {
        results[i] /= rule.divisor(row, first + i, height, width);
      }
    };
  }

  /** The frequent steps are constants: C2 then needs no check of the index in the loop. */
  private static void add(float[] line, int first, int step, double[] results, int from, int to) {
    switch (step) {
      case 1 -> {
        for (int i = from; i < to; i++) {
          results[i] += line[first + i];
        }
      }
      case 2 -> {
        for (int i = from; i < to; i++) {
          results[i] += line[first + 2 * i];
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          results[i] += line[first + step * i];
        }
      }
    }
  }

  private double mean(Plane plane, Pooling.Rule.Mean rule, int row, int column) {
    int top = rule.vertical().at(row, 0);
    int left = rule.horizontal().at(column, 0);
    int y0 = Math.max(0, top);
    int x0 = Math.max(0, left);
    int y1 = Math.min(top + rule.vertical().kernel(), height);
    int x1 = Math.min(left + rule.horizontal().kernel(), width);
    double sum = y1 <= y0 || x1 <= x0 ? 0 : sum(plane, y0, y1, x0, x1);
    return sum / rule.divisor(row, column, height, width);
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
      for (int x = x0, count; x < x1 && poll.fault() == null; x += count) {
        count = Math.min(TILE, x1 - x);
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
