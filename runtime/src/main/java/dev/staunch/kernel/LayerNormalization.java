package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code layer_norm}: one mean and variance for each run over the last dimensions. */
final class LayerNormalization {
  private LayerNormalization() {}

  static Object run(Call call) {
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
    double[] values = Filling.read(input);
    int width = Math.toIntExact(Shape.of(shape).elements());
    double[] scale = weight == null ? null : Filling.read(weight);
    double[] shift = bias == null ? null : Filling.read(bias);
    for (int start = 0; start < values.length; start += width) {
      normalize(values, start, width, call.real(4));
      affine(values, start, width, scale, shift);
    }
    return Filling.of(call, input.dtype(), input.shape(), values);
  }

  private static void normalize(double[] values, int start, int width, double epsilon) {
    double sum = 0;
    for (int i = start; i < start + width; i++) {
      sum += values[i];
    }
    double mean = sum / width;
    double squares = 0;
    for (int i = start; i < start + width; i++) {
      values[i] -= mean;
      squares += values[i] * values[i];
    }
    double factor = 1 / Math.sqrt(squares / width + epsilon);
    for (int i = start; i < start + width; i++) {
      values[i] *= factor;
    }
  }

  private static void affine(
      double[] values, int start, int width, double @Nullable [] scale, double @Nullable [] shift) {
    for (int i = 0; i < width; i++) {
      double scaled = scale == null ? values[start + i] : values[start + i] * scale[i];
      values[start + i] = shift == null ? scaled : scaled + shift[i];
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
