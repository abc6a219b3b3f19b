package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Pooling over the last one or two dimensions of [N, C, *] or [C, *]. */
final class Pooling {
  private static final int TILE = 1024;

  /** Fewer outputs in a row are quicker one after the other. */
  private static final int FEW = 4;

  private static final long NO_DIVISOR = Long.MIN_VALUE;

  /** Reduces the window of each of {@code count} outputs of a row; looks for cancellation. */
  private interface Reduction {
    void over(Plane plane, int row, int first, int count, double[] results);
  }

  /** Reduces the window of one output. */
  private interface One {
    double over(Plane plane, int row, int column);
  }

  private final Call call;
  private final int dims;
  private final DenseTensor input;
  private final Lookout lookout;
  private final int height;
  private final int width;

  private Pooling(Call call, int dims) {
    this.call = call;
    this.dims = dims;
    this.input = call.tensor(0);
    this.lookout = new Lookout(call);
    Shape shape = input.shape();
    this.height = rows(shape);
    this.width = columns(shape);
  }

  /** Arguments: kernel_size, stride, padding, dilation, ceil_mode. */
  static Object max(Call call, String name, int dims) {
    Object form = maxForm(call, name, dims);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Window[] both = (Window[]) windows(call, name, dims, call.integers(4));
    Pooling pooling = new Pooling(call, dims);
    return pooling.reduce(known, pooling.maximum(both));
  }

  /** Arguments: kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override. */
  static Object average(Call call, String name, int dims) {
    Object form = averageForm(call, name, dims);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Window[] both = (Window[]) windows(call, name, dims, new long[] {1});
    long divisor = dims == 2 ? call.integerOr(6, NO_DIVISOR) : NO_DIVISOR;
    Pooling pooling = new Pooling(call, dims);
    return pooling.reduce(known, pooling.mean(both, call.bool(5), divisor));
  }

  /** Argument: output_size. */
  static Object adaptiveAverage(Call call, String name, int dims) {
    Object form = adaptiveForm(call, name, dims);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Pooling pooling = new Pooling(call, dims);
    return pooling.reduce(
        known, pooling.adaptiveMean(pooling.rows(known.shape()), pooling.columns(known.shape())));
  }

  private int rows(Shape result) {
    return dims == 2 ? Shape.asInt(result.size(result.rank() - 2)) : 1;
  }

  private int columns(Shape result) {
    return Shape.asInt(result.size(result.rank() - 1));
  }

  /** The form of what {@link #max} gives; or the fault. */
  static Object maxForm(Operands operands, String name, int dims) {
    Object windows = windows(operands, name, dims, operands.integers(4));
    return windows instanceof Window[] both
        ? slid(operands, dims, both, operands.bool(5))
        : windows;
  }

  /** The form of what {@link #average} gives; or the fault. */
  static Object averageForm(Operands operands, String name, int dims) {
    Object windows = windows(operands, name, dims, new long[] {1});
    if (dims == 2 && operands.integerOr(6, NO_DIVISOR) == 0) {
      return Fault.value("`divisor_override` must not be 0");
    }
    return windows instanceof Window[] both
        ? slid(operands, dims, both, operands.bool(4))
        : windows;
  }

  /** The form of what {@link #adaptiveAverage} gives; or the fault. */
  static Object adaptiveForm(Operands operands, String name, int dims) {
    Fault fault = check(operands, name, dims);
    if (fault != null) {
      return fault;
    }
    long[] wanted = repeat(operands.integers(1), dims);
    if (wanted.length != dims || Arrays.stream(wanted).anyMatch(size -> size < 0)) {
      return Fault.value(
          Message.of(
              "%s takes %d output sizes, none negative, but got %s",
              name, dims, Arrays.toString(operands.integers(1))));
    }
    return sized(operands, wanted);
  }

  private static Object slid(Operands operands, int dims, Window[] windows, boolean ceiling) {
    Shape input = operands.shape(0);
    int rank = input.rank();
    int height = dims == 2 ? Shape.asInt(input.size(rank - 2)) : 1;
    int rows = windows[0].outputs(height, ceiling);
    int columns = windows[1].outputs(Shape.asInt(input.size(rank - 1)), ceiling);
    if (rows <= 0 || columns <= 0) {
      String text = "the window covers %d x %d elements, but the input %s has fewer; pad it";
      return Demands.shape(
          Message.of(text, windows[0].extent(), windows[1].extent(), input),
          Message.of("at least %d x %d elements", windows[0].extent(), windows[1].extent()),
          input);
    }
    return sized(operands, dims == 2 ? new long[] {rows, columns} : new long[] {columns});
  }

  /** The input's form with other last sizes. */
  private static Object sized(Operands operands, long[] last) {
    long[] sizes = operands.shape(0).toArray();
    System.arraycopy(last, 0, sizes, sizes.length - last.length, last.length);
    return TensorForm.contiguous(operands.dtype(0), Shape.of(sizes));
  }

  private static @Nullable Fault check(Operands operands, String name, int dims) {
    Fault fault = Demands.floating(name, operands.dtype(0));
    if (fault != null) {
      return fault;
    }
    Shape shape = operands.shape(0);
    boolean rankFits = shape.rank() == dims + 1 || shape.rank() == dims + 2;
    boolean empty =
        rankFits
            && Arrays.stream(shape.toArray())
                .skip(shape.rank() - dims - 1L)
                .anyMatch(size -> size == 0);
    if (!rankFits || empty) {
      String text = "%s takes %d or %d dimensions with something in each, but the shape is %s";
      return Demands.shape(
          Message.of(text, name, dims + 1, dims + 2, shape),
          dims + 1 + " or " + (dims + 2) + " dimensions",
          shape);
    }
    return null;
  }

  /** The vertical and the horizontal window, or a fault. */
  private static Object windows(Operands operands, String name, int dims, long[] dilations) {
    Fault fault = check(operands, name, dims);
    if (fault != null) {
      return fault;
    }
    long[] kernel = repeat(operands.integers(1), dims);
    long[] stride = operands.list(2).isEmpty() ? kernel : repeat(operands.integers(2), dims);
    long[] padding = repeat(operands.integers(3), dims);
    long[] dilation = repeat(dilations, dims);
    for (int i = 0; i < dims; i++) {
      if (kernel.length != dims
          || stride.length != dims
          || padding.length != dims
          || dilation.length != dims) {
        return Fault.value(
            Message.of(
                "%s takes one number or %d each for kernel size, stride, padding and dilation",
                name, dims));
      }
      if (kernel[i] <= 0 || stride[i] <= 0 || dilation[i] <= 0) {
        return Fault.value(
            Message.of(
                "%s takes a positive kernel size, stride and dilation, but got %d, %d and %d",
                name, kernel[i], stride[i], dilation[i]));
      }
      if (padding[i] < 0 || padding[i] > kernel[i] / 2) {
        return Fault.value(
            Message.of(
                "`padding` %d must be from 0 to half of the kernel's size, %d",
                padding[i], kernel[i]));
      }
    }
    Window horizontal = window(kernel, stride, padding, dilation, dims - 1);
    Window vertical =
        dims == 1 ? new Window(1, 1, 0, 0, 1) : window(kernel, stride, padding, dilation, 0);
    return new Window[] {vertical, horizontal};
  }

  private static Window window(
      long[] kernel, long[] stride, long[] padding, long[] dilation, int i) {
    int pad = Shape.asInt(padding[i]);
    return new Window(
        Shape.asInt(kernel[i]), Shape.asInt(stride[i]), pad, pad, Shape.asInt(dilation[i]));
  }

  private static long[] repeat(long[] values, int count) {
    if (values.length != 1) {
      return values;
    }
    long[] repeated = new long[count];
    Arrays.fill(repeated, values[0]);
    return repeated;
  }

  private Object reduce(TensorForm form, Reduction reduction) {
    Object made = call.allocate(form.dtype(), form.shape());
    return made instanceof DenseTensor target
        ? Lookout.finished(
            target, reduce(target, rows(form.shape()), columns(form.shape()), reduction))
        : made;
  }

  /** Plane by plane; the fault of a cancellation, or null. */
  private @Nullable Fault reduce(DenseTensor target, int rows, int columns, Reduction reduction) {
    Plane plane = new Plane(input, dims);
    double[] results = new double[Math.min(columns, TILE)];
    long to = 0;
    long planes = input.elements() / ((long) height * width);
    for (long number = 0; number < planes; number++) {
      plane.of(number);
      for (int row = 0; row < rows; row++) {
        for (int start = 0; start < columns; start += TILE) {
          int count = Math.min(TILE, columns - start);
          reduction.over(plane, row, start, count, results);
          if (lookout.fault() != null) {
            return lookout.fault();
          }
          Operand.of(target).store(results, to, 1, count);
          to += count;
        }
      }
    }
    return null;
  }

  private Reduction each(One one) {
    return (plane, row, first, count, results) -> {
      for (int i = 0; i < count && lookout.goesOn(1); i++) {
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
        for (int x = 0; x < windows[1].kernel() && lookout.goesOn(count); x++) {
          tap(plane, line, windows[1], x, first, count, results);
        }
      }
    };
  }

  /** Puts in one element of each window where it is greater. */
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
      for (int x = 0; x < taps && lookout.fault() == null; x += TILE) {
        int count = Math.min(TILE, taps - x);
        best = plane.greatest(line, left + x * step, step, count, best);
        lookout.goesOn(count);
      }
    }
    return best;
  }

  private Reduction mean(Window[] windows, boolean countPadding, long divisor) {
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
      long count = divisor != NO_DIVISOR ? divisor : countPadding ? padded : inside;
      return sum(plane, y0, y1, x0, x1) / count;
    });
  }

  private Reduction adaptiveMean(int rows, int columns) {
    return each((plane, row, column) -> {
      int y0 = row * height / rows;
      int y1 = ((row + 1) * height + rows - 1) / rows;
      int x0 = column * width / columns;
      int x1 = ((column + 1) * width + columns - 1) / columns;
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
      for (int x = x0; x < x1 && lookout.fault() == null; x += TILE) {
        int count = Math.min(TILE, x1 - x);
        sum = plane.sum(y, x, count, sum);
        lookout.goesOn(count);
      }
    }
    return sum;
  }

  /** Whether a look after each window of this many elements is enough. */
  private boolean isSmall(long area) {
    lookout.goesOn(Math.min(area, TILE));
    return area <= TILE;
  }
}
