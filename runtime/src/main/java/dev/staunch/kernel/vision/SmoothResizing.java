package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Upsampling;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/**
 * Antialiased resizing, whose filter widens as the image shrinks: along rows, then along columns.
 */
final class SmoothResizing {
  private SmoothResizing() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.with(Trait.NARROW_AS_FLOAT32);
    add(catalog, "_upsample_bilinear2d_aa", 2);
    add(catalog, "_upsample_bicubic2d_aa", 4);
  }

  private static void add(Catalog.Builder catalog, String name, int taps) {
    Upsampling.add(
        catalog,
        name,
        2,
        /* aligns= */ true,
        (steps, call, sizes, factors, aligned) ->
            resized(steps, call, taps, sizes, factors, aligned));
  }

  private static Object resized(
      Steps steps, Operands call, int taps, long[] size, double[] factors, boolean aligned) {
    TensorForm self = call.form(0);
    Fault fault = OperandChecks.floating("upsample", self.dtype());
    boolean fits = self.rank() == 4 && size.length == 2 && size[0] > 0 && size[1] > 0;
    if (fault != null || !fits || self.shape().size(2) == 0 || self.shape().size(3) == 0) {
      return fault != null
          ? fault
          : OperandChecks.shape(
              "an upsampling takes an input [n, c, h, w], but the shape is " + self.shape(),
              "4 dimensions",
              self.shape());
    }
    Object wide =
        lines(steps, call.value(0), Filter.of(self, 3, size[1], taps, aligned, factors[1]));
    Object turned = steps.run("transpose.int", wide, -1L, -2L);
    Object tall = lines(steps, turned, Filter.of(self, 2, size[0], taps, aligned, factors[0]));
    Object result = steps.run("contiguous", steps.run("transpose.int", tall, -1L, -2L));
    return taps == 2 ? Copying.asImages(steps, result, call.value(0)) : result;
  }

  /** Resizes each line of the last dimension. */
  private static Object lines(Steps steps, Object input, Filter filter) {
    if (!Steps.isTensor(input)) {
      return input;
    }
    TensorForm self = Steps.form(input);
    long[] sizes = self.shape().toArray();
    sizes[sizes.length - 1] = filter.outputs();
    Shape shape = Shape.of(sizes);
    return steps.apply(
        operands -> TensorForm.contiguous(self.dtype(), shape),
        call -> filled(call, shape, filter),
        steps.run("contiguous", input));
  }

  private static Object filled(Call call, Shape shape, Filter filter) {
    DenseTensor input = call.tensor(0);
    Object made = call.allocate(input.dtype(), shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    int inputs = Shape.asInt(input.shape().size(input.rank() - 1));
    double[] line = new double[inputs];
    double[] out = new double[filter.outputs()];
    Operand from = Operand.of(input);
    Operand to = Operand.of(target);
    CancellationPoll poll = new CancellationPoll(call);
    long lines = target.elements() / out.length;
    for (long i = 0; i < lines && poll.mayContinue(filter.work()); i++) {
      from.load(line, input.layout().offset() + i * inputs, 1, inputs);
      filter.apply(line, out);
      to.store(out, i * out.length, 1, out.length);
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /**
   * The weight of each element of a line in each of the new ones.
   *
   * @param first the first source element of each new one
   * @param weights the weights of the source elements from there on
   * @param single whether each step is rounded to float32, as in libtorch, so that bytes made from
   *     the results are the same
   */
  private record Filter(int[] first, double[][] weights, boolean single) {
    static Filter of(
        TensorForm self, int dim, long asked, int taps, boolean aligned, double factor) {
      int inputs = Shape.asInt(self.shape().size(dim));
      int outputs = Shape.asInt(asked);
      double scale = factor > 0 ? 1 / factor : (double) inputs / outputs;
      if (aligned) {
        scale = outputs > 1 ? (inputs - 1.0) / (outputs - 1) : 0;
      }
      boolean single = self.dtype() == DType.FLOAT32;
      Filter filter = new Filter(new int[outputs], new double[outputs][], single);
      scale = filter.rounded(scale);
      double support = filter.rounded(taps / 2.0 * Math.max(scale, 1));
      double shrink = filter.rounded(1 / Math.max(scale, 1));
      for (int i = 0; i < outputs; i++) {
        double centre = filter.rounded(scale * (i + 0.5));
        int from = Math.max((int) filter.rounded(filter.rounded(centre - support) + 0.5), 0);
        int to = Math.min((int) filter.rounded(filter.rounded(centre + support) + 0.5), inputs);
        double[] own = new double[Math.max(0, to - from)];
        double sum = 0;
        for (int j = 0; j < own.length; j++) {
          double away = filter.rounded(filter.rounded(from + j - centre) + 0.5);
          own[j] = filter.rounded(weight(filter.rounded(away * shrink), taps));
          sum = filter.rounded(sum + own[j]);
        }
        for (int j = 0; j < own.length && sum != 0; j++) {
          own[j] = filter.rounded(own[j] / sum);
        }
        filter.first[i] = from;
        filter.weights[i] = own;
      }
      return filter;
    }

    private double rounded(double value) {
      return single ? (float) value : value;
    }

    int outputs() {
      return first.length;
    }

    /** The approximate number of multiplications per line. */
    long work() {
      return (long) first.length * Math.max(1, weights[0].length);
    }

    void apply(double[] line, double[] out) {
      for (int i = 0; i < out.length; i++) {
        double[] own = weights[i];
        double sum = 0;
        for (int j = 0; j < own.length; j++) {
          sum = rounded(sum + own[j] * line[first[i] + j]);
        }
        out[i] = sum;
      }
    }
  }

  private static double weight(double at, int taps) {
    double x = Math.abs(at);
    if (taps == 2) {
      return Math.max(0, 1 - x);
    }
    double a = -0.5;
    if (x < 1) {
      return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
  }
}
