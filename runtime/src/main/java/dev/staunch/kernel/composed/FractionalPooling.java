package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;

/**
 * The greatest elements of windows at pseudo-random positions: Graham, "Fractional Max-Pooling",
 * 2014.
 *
 * @param dims how many dimensions a window has: 2 or 3
 */
record FractionalPooling(int dims) {
  static void addTo(Catalog.Builder catalog) {
    for (int dims = 2; dims <= 3; dims++) {
      FractionalPooling pooling = new FractionalPooling(dims);
      String sizes = "int[" + dims + "] kernel_size, int[" + dims + "] output_size";
      catalog
          .withInference(pooling::forms)
          .withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64))
          .many(
              "aten::"
                  + pooling.name()
                  + "(Tensor self, "
                  + sizes
                  + ", Tensor random_samples) -> (Tensor, Tensor)",
              pooling::run);
    }
  }

  private String name() {
    return "fractional_max_pool" + dims + "d";
  }

  /** The forms of the greatest elements and their indices; or the fault. */
  private Object forms(Operands call) {
    Shape self = call.shape(0);
    Shape samples = call.shape(3);
    long[] kernel = Dimensions.each(call.integers(1), dims);
    long[] output = Dimensions.each(call.integers(2), dims);
    int rank = self.rank();
    boolean fits =
        (rank == dims + 1 || rank == dims + 2)
            && kernel.length == dims
            && output.length == dims
            && samples.rank() == 3
            && samples.size(2) == dims;
    long[] sizes = self.toArray();
    for (int d = 0; fits && d < dims; d++) {
      long size = sizes[rank - dims + d];
      fits = kernel[d] > 0 && output[d] > 0 && output[d] + kernel[d] - 1 <= size;
      sizes[rank - dims + d] = output[d];
    }
    Fault fault = OperandChecks.floating(name(), call.dtype(0));
    if (fault != null) {
      return fault;
    }
    if (!fits) {
      String text = "%s has no place for its windows in %s";
      String expected = dims == 2 ? "[n, c, h, w]" : "[n, c, d, h, w]";
      return OperandChecks.shape(Message.of(text, name(), self), expected, self);
    }
    long planes = Arrays.stream(sizes, 0, rank - dims).reduce(1, (a, b) -> a * b);
    if (samples.elements() < dims * planes) {
      return Fault.shape("`random_samples` has too few rows for " + planes + " planes");
    }
    return new Object[] {
      TensorForm.contiguous(call.dtype(0), Shape.of(sizes)),
      TensorForm.contiguous(DType.INT64, Shape.of(sizes))
    };
  }

  private Object run(Call call) {
    Object inferred = forms(call);
    if (!(inferred instanceof Object[] forms)) {
      return inferred;
    }
    DenseTensor self = call.tensor(0);
    Shape shape = ((TensorForm) forms[0]).shape();
    Windows windows = windows(call);
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, self);
    double[] drawn = Doubles.of(poll, call.tensor(3));
    double[] greatest = new double[Shape.asInt(shape.elements())];
    double[] places = new double[greatest.length];
    int planes = greatest.length == 0 ? 0 : greatest.length / windows.count();
    for (int plane = 0; plane < planes && poll.fault() == null; plane++) {
      double[] samples = Arrays.copyOfRange(drawn, dims * plane, dims * (plane + 1));
      windows.slide(values, plane, samples, greatest, places, poll);
    }
    if (poll.fault() != null) {
      return poll.orFault(values);
    }
    Object first = Doubles.tensor(call, self.dtype(), shape, greatest);
    return first instanceof Fault
        ? first
        : Temporaries.both(first, Doubles.tensor(call, DType.INT64, shape, places));
  }

  private Windows windows(Call call) {
    Shape self = call.shape(0);
    int[] sizes = new int[3];
    int[] kernel = new int[3];
    int[] output = new int[3];
    Arrays.fill(sizes, 1);
    Arrays.fill(kernel, 1);
    Arrays.fill(output, 1);
    for (int d = 0; d < dims; d++) {
      sizes[3 - dims + d] = Shape.asInt(self.size(self.rank() - dims + d));
      kernel[3 - dims + d] = Shape.asInt(Dimensions.each(call.integers(1), dims)[d]);
      output[3 - dims + d] = Shape.asInt(Dimensions.each(call.integers(2), dims)[d]);
    }
    return new Windows(sizes, kernel, output, call.dtype(0) == DType.FLOAT64);
  }

  /** Windows in three dimensions; those of fewer have size 1 in the first. */
  private record Windows(int[] sizes, int[] kernel, int[] output, boolean inDouble) {
    int count() {
      return output[0] * output[1] * output[2];
    }

    void slide(
        double[] values,
        int plane,
        double[] samples,
        double[] greatest,
        double[] places,
        CancellationPoll poll) {
      int first = plane * sizes[0] * sizes[1] * sizes[2];
      int to = plane * count();
      int size = kernel[0] * kernel[1] * kernel[2];
      for (int i = 0; i < count() && poll.mayContinue(size); i++) {
        int depth = start(0, i / (output[1] * output[2]), samples);
        int row = start(1, i / output[2] % output[1], samples);
        int column = start(2, i % output[2], samples);
        int best = (depth * sizes[1] + row) * sizes[2] + column;
        for (int k = 0; k < size; k++) {
          int z = depth + k / (kernel[1] * kernel[2]);
          int y = row + k / kernel[2] % kernel[1];
          int at = (z * sizes[1] + y) * sizes[2] + column + k % kernel[2];
          double value = values[first + at];
          best = value > values[first + best] || Double.isNaN(value) ? at : best;
        }
        greatest[to + i] = values[first + best];
        places[to + i] = best;
      }
    }

    /** Where window {@code i} starts; images have the sample of their columns first. */
    private int start(int dim, int i, double[] samples) {
      int room = sizes[dim] - kernel[dim];
      if (i == output[dim] - 1) {
        return room;
      }
      double sample = samples[samples.length == 2 ? 2 - dim : dim];
      if (inDouble) {
        double step = (double) room / (output[dim] - 1);
        return (int) ((i + sample) * step) - (int) (sample * step);
      }
      float step = (float) room / (output[dim] - 1);
      return (int) ((i + (float) sample) * step) - (int) ((float) sample * step);
    }
  }
}
