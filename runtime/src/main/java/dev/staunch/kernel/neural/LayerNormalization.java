package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.reduce.RealRow;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code layer_norm}: one mean and variance for each run over the last dimensions. */
public final class LayerNormalization {
  private LayerNormalization() {}

  /** Takes the call of {@code aten::layer_norm}; gives a new tensor, or a fault. */
  public static Object run(Call call) {
    DenseTensor input = call.tensor(0);
    long[] shape = call.integers(1);
    DenseTensor weight = call.optionalTensor(2);
    DenseTensor bias = call.optionalTensor(3);
    Fault fault =
        Demands.first(
            Demands.floating("layer_norm", input),
            checkShape(input, shape),
            checkParameter(input, "weight", weight, shape),
            checkParameter(input, "bias", bias, shape));
    if (fault != null) {
      return fault;
    }
    long[] dims = new long[shape.length];
    Arrays.setAll(dims, d -> input.rank() - shape.length + d);
    Object groups = Reduction.over(input, dims, false);
    Object made = groups instanceof Fault ? groups : call.allocate(input.dtype(), input.shape());
    if (!(groups instanceof Reduction from) || !(made instanceof DenseTensor target)) {
      return made;
    }
    Lookout lookout = new Lookout(call);
    Reduction to = (Reduction) Reduction.over(target, dims, false);
    double[] scale = weight == null ? null : Filling.read(lookout, weight);
    double[] shift = bias == null ? null : Filling.read(lookout, bias);
    RealRow row = RealRow.kept(from, lookout);
    Fault stop =
        from.each(
            lookout,
            group -> {
              double factor = center(row.of(group), from.count(), call.real(4));
              for (int n = row.first(); n > 0; n = row.next()) {
                affine(row, n, factor, scale, shift);
                to.store(group, row.start(), n, row.values());
              }
            });
    return Lookout.finished(target, stop);
  }

  /** Takes the mean off; the factor that gives the variance 1. */
  private static double center(RealRow row, int count, double epsilon) {
    double mean = Reduction.sum(row) / count;
    double squares = 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        values[i] -= mean;
        squares += values[i] * values[i];
      }
    }
    return 1 / Math.sqrt(squares / count + epsilon);
  }

  private static void affine(
      RealRow row, int count, double factor, double @Nullable [] scale, double @Nullable [] shift) {
    double[] values = row.values();
    int start = row.start();
    for (int i = 0; i < count; i++) {
      values[i] *= factor;
      double scaled = scale == null ? values[i] : values[i] * scale[start + i];
      values[i] = shift == null ? scaled : scaled + shift[start + i];
    }
  }

  private static @Nullable Fault checkShape(DenseTensor input, long[] shape) {
    long[] sizes = input.shape().toArray();
    if (shape.length == 0) {
      return Fault.shape("expected normalized_shape to be at least 1-dimensional");
    }
    int lead = sizes.length - shape.length;
    if (lead >= 0 && Arrays.equals(sizes, lead, sizes.length, shape, 0, shape.length)) {
      return null;
    }
    String wanted = "[*, " + Arrays.toString(shape).substring(1);
    String text =
        "given normalized_shape=%s, expected input with shape %s, but got input of size %s";
    return Demands.shape(
        text.formatted(Arrays.toString(shape), wanted, input.shape()),
        "input " + wanted,
        input.shape());
  }

  private static @Nullable Fault checkParameter(
      DenseTensor input, String name, @Nullable DenseTensor parameter, long[] shape) {
    if (parameter != null && !Arrays.equals(parameter.shape().toArray(), shape)) {
      String text = "expected %s to be of same shape as normalized_shape, but got %s of shape %s";
      return Demands.shape(
          text.formatted(name, name, parameter.shape()),
          name + " " + Arrays.toString(shape),
          parameter.shape());
    }
    return Demands.sameDType("layer_norm", input, name, parameter);
  }
}
