package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Upsampling;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.Shape;

/** Resizing whose filter widens as the picture shrinks: a product with weights on each side. */
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
    Object across = weights(steps, self, 3, Shape.asInt(size[1]), taps, aligned, factors[1]);
    Object down = weights(steps, self, 2, Shape.asInt(size[0]), taps, aligned, factors[0]);
    Object wide = steps.run("matmul", call.value(0), steps.run("t", across));
    return steps.run("matmul", down, wide);
  }

  /** How much each element of a line weighs in each of the new ones: [outputs, inputs]. */
  private static Object weights(
      Steps steps,
      TensorForm self,
      int dim,
      int outputs,
      int taps,
      boolean aligned,
      double factor) {
    int inputs = Shape.asInt(self.shape().size(dim));
    Shape shape = Shape.of(outputs, inputs);
    return steps.apply(
        operands -> TensorForm.contiguous(self.dtype(), shape),
        call ->
            Doubles.tensor(
                call, self.dtype(), shape, weights(inputs, outputs, taps, aligned, factor)));
  }

  private static double[] weights(
      int inputs, int outputs, int taps, boolean aligned, double factor) {
    double scale = factor > 0 ? 1 / factor : (double) inputs / outputs;
    if (aligned) {
      scale = outputs > 1 ? (inputs - 1.0) / (outputs - 1) : 0;
    }
    double support = taps / 2.0 * Math.max(scale, 1);
    double shrink = 1 / Math.max(scale, 1);
    double[] weights = new double[Math.multiplyExact(outputs, inputs)];
    for (int i = 0; i < outputs; i++) {
      double centre = scale * (i + 0.5);
      int from = Math.max((int) (centre - support + 0.5), 0);
      int to = Math.min((int) (centre + support + 0.5), inputs);
      double sum = 0;
      for (int j = from; j < to; j++) {
        double weight = filter((j - centre + 0.5) * shrink, taps);
        weights[i * inputs + j] = weight;
        sum += weight;
      }
      for (int j = from; j < to && sum != 0; j++) {
        weights[i * inputs + j] /= sum;
      }
    }
    return weights;
  }

  private static double filter(double at, int taps) {
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
