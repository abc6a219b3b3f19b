package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Elements reduced by index, windows at random positions, and the sizes of broadcasts. */
final class PickedTensors {
  private PickedTensors() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::_infer_size(int[] a, int[] b) -> int[]", PickedTensors::sizes);
    Catalog.Builder reducing =
        catalog
            .with(Trait.FAILS_ON_VALUES)
            .withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING));
    String rest =
        "int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor";
    Composite.add(
        reducing,
        "aten::index_reduce(Tensor self, " + rest,
        (steps, call) -> reduced(steps, call, "scatter_reduce.two"));
    Composite.add(
        reducing,
        "aten::index_reduce_(Tensor(a!) self, " + rest + "(a!)",
        (steps, call) -> {
          Object written = reduced(steps, call, "scatter_reduce_.two");
          return Steps.isTensor(written) ? call.value(0) : written;
        });
    catalog
        .withInference(PickedTensors::pooledForms)
        .many(
            "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor"
                + " random_samples) -> (Tensor, Tensor)",
            PickedTensors::pooled);
  }

  private static Object sizes(Call call) {
    long[] a = call.integers(0);
    long[] b = call.integers(1);
    List<Object> sizes = new ArrayList<>();
    int rank = Math.max(a.length, b.length);
    for (int d = 0; d < rank; d++) {
      long left = d < rank - a.length ? 1 : a[d - rank + a.length];
      long right = d < rank - b.length ? 1 : b[d - rank + b.length];
      if (left != right && left != 1 && right != 1) {
        String text = "sizes %d and %d of dimension %d do not broadcast";
        return Fault.shape(Message.of(text, left, right, d));
      }
      sizes.add(left == 1 ? right : left);
    }
    return sizes;
  }

  /** Reduces with {@code operation}, whose index has the shape of its source. */
  private static Object reduced(Steps steps, Operands call, String operation) {
    TensorForm self = call.form(0);
    TensorForm index = call.form(2);
    TensorForm source = call.form(3);
    Object dim = Dimensions.wrap(call.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    boolean fits =
        (source.rank() == self.rank() || Math.max(source.rank(), self.rank()) == 1)
            && index.rank() <= 1
            && index.elements() == (source.rank() == 0 ? 1 : source.shape().size(at));
    if (call.string(4).equals("sum")) {
      return Fault.value("`reduce` takes prod, mean, amax or amin, but got 'sum'");
    }
    if (!fits) {
      String text = "index_reduce takes a source %s with as many slices as the index %s has";
      return OperandChecks.shape(
          Message.of(text, source.shape(), index.shape()), "a source that fits", source.shape());
    }
    boolean single = self.rank() == 0;
    Object target = single ? steps.run("unsqueeze", call.value(0), 0L) : call.value(0);
    Object from = source.rank() == 0 ? steps.view(call.value(3), 1) : call.value(3);
    long[] sizes = new long[Math.max(1, self.rank())];
    Arrays.fill(sizes, 1);
    sizes[at] = index.elements();
    Object places = steps.run("expand_as", steps.view(call.value(2), sizes), from);
    Object result =
        steps.run(operation, target, (long) at, places, from, call.value(4), call.value(5));
    return single ? steps.run("squeeze.dim", result, 0L) : result;
  }

  /** The forms of the greatest elements and their indices; or the fault. */
  private static Object pooledForms(Operands call) {
    Shape self = call.shape(0);
    Shape samples = call.shape(3);
    long[] kernel = twice(call.integers(1));
    long[] output = twice(call.integers(2));
    int rank = self.rank();
    boolean fits =
        (rank == 3 || rank == 4)
            && kernel.length == 2
            && output.length == 2
            && samples.rank() == 3
            && samples.size(2) == 2;
    long[] sizes = self.toArray();
    for (int d = 0; fits && d < 2; d++) {
      long size = sizes[rank - 2 + d];
      fits = kernel[d] > 0 && output[d] > 0 && output[d] + kernel[d] - 1 <= size;
      sizes[rank - 2 + d] = output[d];
    }
    if (!fits || OperandChecks.floating("fractional_max_pool2d", call.dtype(0)) != null) {
      String text = "fractional_max_pool2d has no place for its windows in %s";
      return OperandChecks.shape(Message.of(text, self), "[n, c, h, w]", self);
    }
    long planes = self.elements() / (self.size(rank - 2) * self.size(rank - 1));
    if (samples.elements() < 2 * planes) {
      return Fault.shape("`random_samples` has too few rows for " + planes + " planes");
    }
    return new Object[] {
      TensorForm.contiguous(call.dtype(0), Shape.of(sizes)),
      TensorForm.contiguous(DType.INT64, Shape.of(sizes))
    };
  }

  private static Object pooled(Call call) {
    Object inferred = pooledForms(call);
    if (!(inferred instanceof Object[] forms)) {
      return inferred;
    }
    DenseTensor self = call.tensor(0);
    Shape shape = ((TensorForm) forms[0]).shape();
    long[] kernel = twice(call.integers(1));
    long[] output = twice(call.integers(2));
    int height = Shape.asInt(self.shape().size(self.rank() - 2));
    int width = Shape.asInt(self.shape().size(self.rank() - 1));
    Window window = new Window(height, width, kernel, output);
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, self);
    double[] drawn = Doubles.of(poll, call.tensor(3));
    double[] greatest = new double[Math.toIntExact(shape.elements())];
    double[] places = new double[greatest.length];
    int planes = values.length / (height * width);
    for (int plane = 0; plane < planes && poll.mayContinue(2 * output[0] * output[1]); plane++) {
      window.slide(values, plane, drawn[2 * plane], drawn[2 * plane + 1], greatest, places);
    }
    if (poll.fault() != null) {
      return poll.orFault(values);
    }
    Object first = Doubles.tensor(call, self.dtype(), shape, greatest);
    Object second =
        first instanceof Fault ? first : Doubles.tensor(call, DType.INT64, shape, places);
    if (second instanceof Fault && first instanceof DenseTensor made) {
      made.close();
    }
    return second instanceof Fault ? second : new Object[] {first, second};
  }

  private static long[] twice(long[] values) {
    return values.length == 1 ? new long[] {values[0], values[0]} : values;
  }

  /** Windows whose positions are shifted by a random number. */
  private record Window(int height, int width, long[] kernel, long[] output) {
    void slide(double[] values, int plane, double x, double y, double[] greatest, double[] places) {
      int first = plane * height * width;
      int to = (int) (plane * output[0] * output[1]);
      for (int row = 0; row < output[0]; row++) {
        int top = start(row, y, height, kernel[0], output[0]);
        for (int column = 0; column < output[1]; column++) {
          int left = start(column, x, width, kernel[1], output[1]);
          int best = top * width + left;
          for (int i = 0; i < kernel[0] * kernel[1]; i++) {
            int at = (int) ((top + i / kernel[1]) * width + left + i % kernel[1]);
            double value = values[first + at];
            best = value > values[first + best] || Double.isNaN(value) ? at : best;
          }
          greatest[to] = values[first + best];
          places[to++] = best;
        }
      }
    }

    private static int start(int i, double drawn, long size, long kernel, long output) {
      if (i == output - 1) {
        return (int) (size - kernel);
      }
      float step = output > 1 ? (float) (size - kernel) / (output - 1) : 0;
      float sample = (float) drawn;
      return (int) ((i + sample) * step) - (int) (sample * step);
    }
  }
}
