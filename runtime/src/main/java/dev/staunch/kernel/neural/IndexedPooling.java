package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Greatest elements of windows, and where they stand in their planes.
 *
 * @param rows the input's rows that each row of the result looks at
 * @param columns as {@code rows}
 */
record IndexedPooling(int[][] rows, int[][] columns) {

  static void addTo(Catalog.Builder catalog) {
    for (int dims = 1; dims <= 2; dims++) {
      int count = dims;
      catalog.many(
          "aten::adaptive_max_pool%dd(Tensor self, int[%d] output_size) -> (Tensor, Tensor)"
              .formatted(dims, dims),
          Steps.many((steps, call) -> adaptive(steps, call, count)));
      String padding =
          dims == 1
              ? "int[1] padding=[0], int[1] dilation=[1]"
              : "int[2] padding=0, int[2] dilation=1";
      catalog.many(
          "aten::max_pool%dd_with_indices(Tensor self, int[%d] kernel_size, int[%d] stride=[], %s, bool ceil_mode=False) -> (Tensor, Tensor)"
              .formatted(dims, dims, dims, padding),
          Steps.many((steps, call) -> sliding(steps, call, count)));
    }
  }

  private static Object adaptive(Steps steps, Call call, int dims) {
    DenseTensor self = call.tensor(0);
    long[] wanted = call.integers(1);
    Object average = steps.run("adaptive_avg_pool" + dims + "d", self, call.value(1));
    if (!(average instanceof DenseTensor like)) {
      return average;
    }
    int[][] columns = ranges(size(self, 1), (int) wanted[wanted.length - 1]);
    int[][] rows = dims == 1 ? new int[][] {{0}} : ranges(size(self, 2), (int) wanted[0]);
    return new IndexedPooling(rows, columns).pooled(call, self, like.shape(), dims);
  }

  private static int size(DenseTensor tensor, int fromEnd) {
    return (int) tensor.shape().size(tensor.rank() - fromEnd);
  }

  private static int[][] ranges(int size, int count) {
    int[][] ranges = new int[count][];
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) i * size / count);
      int to = (int) (((long) (i + 1) * size + count - 1) / count);
      ranges[i] = IntStream.range(from, to).toArray();
    }
    return ranges;
  }

  private static Object sliding(Steps steps, Call call, int dims) {
    DenseTensor self = call.tensor(0);
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, call::value);
    Object values = steps.run("max_pool" + dims + "d", arguments);
    if (!(values instanceof DenseTensor like)) {
      return values;
    }
    int[][] columns = windows(call, dims - 1, size(self, 1), size(like, 1));
    int[][] rows = dims == 1 ? new int[][] {{0}} : windows(call, 0, size(self, 2), size(like, 2));
    return new IndexedPooling(rows, columns).pooled(call, self, like.shape(), dims);
  }

  private static int[][] windows(Call call, int dim, int size, int count) {
    int kernel = number(call, 1, dim);
    int stride = call.list(2).isEmpty() ? kernel : number(call, 2, dim);
    int padding = number(call, 3, dim);
    Window window = new Window(kernel, stride, padding, padding, number(call, 4, dim));
    int[][] windows = new int[count][];
    for (int i = 0; i < count; i++) {
      int output = i;
      windows[i] =
          IntStream.range(0, kernel)
              .map(tap -> window.at(output, tap))
              .filter(at -> at >= 0 && at < size)
              .toArray();
    }
    return windows;
  }

  private static int number(Call call, int argument, int dim) {
    long[] values = call.integers(argument);
    return (int) values[values.length == 1 ? 0 : dim];
  }

  private Object pooled(Call call, DenseTensor self, Shape shape, int dims) {
    Object values = call.allocate(self.dtype(), shape);
    Object places = call.allocate(DType.INT64, shape);
    if (!(values instanceof DenseTensor greatest) || !(places instanceof DenseTensor indices)) {
      return values instanceof Fault ? values : places;
    }
    int width = size(self, 1);
    int height = dims == 1 ? 1 : size(self, 2);
    Fault stop = fill(call, self, greatest, indices, width, height);
    return stop == null ? new Object[] {greatest, indices} : stop;
  }

  private @Nullable Fault fill(
      Call call,
      DenseTensor input,
      DenseTensor values,
      DenseTensor indices,
      int width,
      int height) {
    int count = rows.length * columns.length;
    Lookout lookout = new Lookout(call);
    Places elements = Places.of(input.layout());
    double[] plane = new double[width * height];
    double[] best = new double[count];
    long[] places = new long[count];
    long planes = count == 0 ? 0 : values.elements() / count;
    for (long p = 0; p < planes; p++) {
      Filling.read(lookout, input, elements, p * plane.length, plane);
      for (int i = 0; i < count; i++) {
        int[] window = rows[i / columns.length];
        int[] line = columns[i % columns.length];
        if (!lookout.goesOn((long) window.length * line.length)) {
          return lookout.fault();
        }
        int place = greatest(plane, window, line, width);
        best[i] = plane[place];
        places[i] = place;
      }
      Operand.of(values).store(best, p * count, 1, count);
      Operand.of(indices).store(places, p * count, 1, count);
    }
    return lookout.fault();
  }

  private static int greatest(double[] plane, int[] rows, int[] columns, int width) {
    int best = rows[0] * width + columns[0];
    for (int row : rows) {
      for (int column : columns) {
        double value = plane[row * width + column];
        best = value > plane[best] || Double.isNaN(value) ? row * width + column : best;
      }
    }
    return best;
  }
}
