package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.loop.Plane;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;

/**
 * The greatest elements of windows, and their positions in the plane.
 *
 * @param rows the input rows that each row of the result covers
 * @param columns as {@code rows}
 */
record IndexedPooling(Lines rows, Lines columns) {

  /** The most elements of a row that are in an array. */
  private static final int TILE = 1 << 10;

  /** The input rows, or columns, that each row or column of the result covers. */
  private sealed interface Lines {
    int first(int result);

    /** The end of the window of {@code result}, exclusive. */
    int end(int result);

    int step();
  }

  private record Sliding(Window window, int size) implements Lines {
    @Override
    public int first(int result) {
      return window.at(result, window.firstTap(result));
    }

    @Override
    public int end(int result) {
      return (int) Math.min(size, (long) window.at(result, 0) + window.extent());
    }

    @Override
    public int step() {
      return window.dilation();
    }
  }

  /** {@code size} elements divided into {@code count} parts. */
  private record Parts(int size, int count) implements Lines {
    private static final Parts ONE = new Parts(1, 1);

    @Override
    public int first(int result) {
      return (int) ((long) result * size / count);
    }

    @Override
    public int end(int result) {
      return (int) (((long) (result + 1) * size + count - 1) / count);
    }

    @Override
    public int step() {
      return 1;
    }
  }

  static void addTo(Catalog.Builder catalog) {
    for (int dims = 1; dims <= 2; dims++) {
      Pooling sizes = dims == 1 ? Pooling.ADAPTIVE_MAX_1D : Pooling.ADAPTIVE_MAX_2D;
      Pooling windows = dims == 1 ? Pooling.MAX_1D : Pooling.MAX_2D;
      Composite.addMany(
          catalog,
          Message.of(
              "aten::adaptive_max_pool%dd(Tensor self, int[%d] output_size) -> (Tensor, Tensor)",
              dims, dims),
          (steps, call) -> adaptive(steps, call, sizes));
      String padding =
          dims == 1
              ? "int[1] padding=[0], int[1] dilation=[1]"
              : "int[2] padding=0, int[2] dilation=1";
      Composite.addMany(
          catalog,
          Message.of(
              "aten::max_pool%dd_with_indices(Tensor self, int[%d] kernel_size, int[%d] stride=[], %s, bool ceil_mode=False) -> (Tensor, Tensor)",
              dims, dims, dims, padding),
          (steps, call) -> sliding(steps, call, windows));
    }
  }

  private static Object adaptive(Steps steps, Operands call, Pooling pooling) {
    int dims = pooling.dims();
    TensorForm self = call.form(0);
    Object result = pooling.adaptiveForm(call, 1);
    if (!(result instanceof TensorForm form)) {
      return result;
    }
    Lines columns = new Parts(size(self, 1), size(form, 1));
    Lines rows = dims == 1 ? Parts.ONE : new Parts(size(self, 2), size(form, 2));
    return new IndexedPooling(rows, columns).steps(steps, call, form, dims);
  }

  private static int size(TensorForm tensor, int fromEnd) {
    return (int) tensor.shape().size(tensor.rank() - fromEnd);
  }

  private static Object sliding(Steps steps, Operands call, Pooling pooling) {
    int dims = pooling.dims();
    TensorForm self = call.form(0);
    Object result = pooling.maxForm(call);
    if (!(result instanceof TensorForm form)) {
      return result;
    }
    if (size(form, 1) == 0) {
      return OperandChecks.shape(
          "the input " + self.shape() + " is shorter than the window; pad it",
          "at least one window",
          self.shape());
    }
    Lines columns = new Sliding(window(call, dims - 1), size(self, 1));
    Lines rows = dims == 1 ? Parts.ONE : new Sliding(window(call, 0), size(self, 2));
    return new IndexedPooling(rows, columns).steps(steps, call, form, dims);
  }

  private static Window window(Operands call, int dim) {
    int kernel = number(call, 1, dim);
    int stride = call.list(2).isEmpty() ? kernel : number(call, 2, dim);
    int padding = number(call, 3, dim);
    return new Window(kernel, stride, padding, padding, number(call, 4, dim));
  }

  private static int number(Operands call, int argument, int dim) {
    long[] values = call.integers(argument);
    return (int) values[values.length == 1 ? 0 : dim];
  }

  /** Runs as a step of the operation that returns {@code form}. */
  private Object steps(Steps steps, Operands call, TensorForm form, int dims) {
    return steps.apply(
        operands ->
            new Object[] {
              MemoryFormats.image(operands, form.shape()),
              new TensorForm(DType.INT64, MemoryFormats.image(operands, form.shape()).layout())
            },
        inner -> pooled(inner, form, dims),
        call.value(0));
  }

  private Object pooled(Call call, TensorForm like, int dims) {
    DenseTensor self = call.tensor(0);
    Object values = call.allocate(self.dtype(), like.shape());
    Object places = values instanceof Fault ? values : call.allocate(DType.INT64, like.shape());
    if (!(values instanceof DenseTensor greatest) || !(places instanceof DenseTensor indices)) {
      return places;
    }
    int height = dims == 1 ? 1 : size(like, 2);
    CancellationPoll poll = new CancellationPoll(call);
    fill(poll, new Plane(self, dims), greatest, indices, height, size(like, 1));
    Fault stop = poll.fault();
    return stop == null ? laid(call, greatest, indices) : stop;
  }

  private static Object laid(Call call, DenseTensor values, DenseTensor indices) {
    Layout layout = MemoryFormats.image(call, values.shape()).layout();
    Object greatest = Copying.laid(call, values, layout);
    Object places = greatest instanceof Fault ? greatest : Copying.laid(call, indices, layout);
    return Temporaries.both(greatest, places);
  }

  private void fill(
      CancellationPoll poll,
      Plane plane,
      DenseTensor values,
      DenseTensor indices,
      int height,
      int width) {
    double[] greatest = new double[Math.min(width, TILE)];
    long[] places = new long[greatest.length];
    for (long i = 0; i < values.elements() && poll.fault() == null; ) {
      int row = (int) (i / width % height);
      int column = (int) (i % width);
      int count = Math.min(width - column, TILE);
      plane.of(i / width / height);
      for (int c = 0; c < count; c++) {
        greatest(poll, plane, row, column + c, greatest, places, c);
      }
      Operand.of(values).store(greatest, i, 1, count);
      Operand.of(indices).store(places, i, 1, count);
      i += count;
    }
  }

  /** Stores the greatest element of a window, and its place, at index {@code to}. */
  private void greatest(
      CancellationPoll poll,
      Plane plane,
      int row,
      int column,
      double[] greatest,
      long[] places,
      int to) {
    int first = columns.first(column);
    int bestY = rows.first(row);
    int bestX = first;
    int endY = rows.end(row);
    int endX = columns.end(column);
    double best = Double.NEGATIVE_INFINITY;
    for (int y = bestY; y < endY; y += Math.min(rows.step(), endY - y)) {
      for (int x = first; x < endX && poll.fault() == null; ) {
        int end = x + Math.min(endX - x, TILE);
        poll.mayContinue(end - x);
        for (; x < end; x += Math.min(columns.step(), endX - x)) {
          double value = plane.at(y, x);
          if (value > best || Double.isNaN(value)) {
            best = value;
            bestY = y;
            bestX = x;
          }
        }
      }
    }
    greatest[to] = best;
    places[to] = (long) bestY * plane.width() + bestX;
  }
}
