package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Folds a {@code batch_norm} with known statistics into a weight and a bias, in doubles. */
final class BatchNormFolding {
  private static final int TILE = 4096;

  private final Call call;
  private final CancellationPoll poll;
  private final DenseTensor weight;
  private final double[] scale;
  private final double[] shift;

  private BatchNormFolding(Call call, DenseTensor weight, @Nullable DenseTensor bias) {
    this.call = call;
    this.poll = new CancellationPoll(call);
    this.weight = weight;
    this.scale = read(call.optionalTensor(1), 1);
    this.shift = read(bias, 0);
    double[] mean = Filling.read(poll, call.tensor(3));
    double[] variance = Filling.read(poll, call.tensor(4));
    double[] start = read(call.optionalTensor(2), 0);
    for (int i = 0; i < scale.length; i++) {
      scale[i] /= Math.sqrt(variance[i] + call.real(7));
      shift[i] = (shift[i] - mean[i]) * scale[i] + start[i];
    }
  }

  /** As {@link ChannelScaling#folded}. */
  static Object of(Call call, DenseTensor weight, @Nullable DenseTensor bias) {
    return fits(call, weight, bias)
        ? new BatchNormFolding(call, weight, bias).folded()
        : Fault.unsupported("batch_norm cannot be folded into this weight");
  }

  private static boolean fits(Call call, DenseTensor weight, @Nullable DenseTensor bias) {
    boolean real = weight.dtype() == DType.FLOAT32 || weight.dtype() == DType.FLOAT64;
    if (call.bool(5) || !real || !weight.isContiguous() || weight.elements() == 0) {
      return false;
    }
    Shape channels = Shape.of(weight.shape().size(0));
    boolean fit = !call.isNone(3) && !call.isNone(4) && isOf(bias, weight.dtype(), channels);
    for (int i = 1; i < 5 && fit; i++) {
      fit = isOf(call.optionalTensor(i), weight.dtype(), channels);
    }
    return fit;
  }

  private static boolean isOf(@Nullable DenseTensor parameter, DType dtype, Shape shape) {
    return parameter == null || (parameter.dtype() == dtype && parameter.shape().equals(shape));
  }

  private double[] read(@Nullable DenseTensor parameter, double absent) {
    if (parameter != null) {
      return Filling.read(poll, parameter);
    }
    double[] values = new double[(int) weight.shape().size(0)];
    Arrays.fill(values, absent);
    return values;
  }

  private Object folded() {
    Layout lying = new Layout(weight.shape(), weight.layout().strides(), 0);
    Object rows = DenseTensor.allocate(call.scope(), weight.dtype(), lying, call.environment());
    if (!(rows instanceof DenseTensor target)) {
      return rows;
    }
    Object sums = DenseTensor.allocate(call.scope(), weight.dtype(), Shape.of(shift.length));
    Fault fault = sums instanceof Fault full ? full : scaleInto(target);
    if (fault == null && sums instanceof DenseTensor bias) {
      Operand.of(bias).store(shift, 0, 1, shift.length);
      if (canShift()) {
        return new ChannelScaling.Parameters(target, bias);
      }
      fault = notFinite();
    }
    target.close();
    if (sums instanceof DenseTensor bias) {
      bias.close();
    }
    return fault == null ? sums : fault;
  }

  private static Fault notFinite() {
    return Fault.value("a folded element of batch_norm is not finite");
  }

  private @Nullable Fault scaleInto(DenseTensor target) {
    long width = weight.elements() / scale.length;
    long piece = Math.max(1, CancellationPoll.STRIDE / width);
    if (scale.length <= piece) {
      return scaleRows(target, width, 0, scale.length); // without the lambda, as for small models
    }
    return call.environment()
        .parallel(
            scale.length, piece, (first, end) -> scaleRows(target, width, (int) first, (int) end));
  }

  private @Nullable Fault scaleRows(DenseTensor target, long width, int first, int end) {
    CancellationPoll looks = new CancellationPoll(call);
    int most = (int) Math.min(TILE, width);
    Rows rows = new Rows(weight, target, new float[most], new double[most]);
    for (int channel = first; channel < end; channel++) {
      for (long column = 0; column < width; column += most) {
        int count = (int) Math.min(most, width - column);
        if (!rows.scale(channel * width + column, count, scale[channel])) {
          return notFinite();
        }
        if (!looks.mayContinue(count)) {
          return looks.fault();
        }
      }
    }
    return null;
  }

  /** Contiguous elements pass through an array of their own dtype; for one thread. */
  private record Rows(DenseTensor from, DenseTensor to, float[] floats, double[] doubles) {

    /**
     * Scales {@code count} elements from {@code first} on; returns whether all of them stay finite.
     */
    boolean scale(long first, int count, double factor) {
      long at = from.layout().offset() + first;
      if (from.dtype() == DType.FLOAT32) {
        Operand.of(from).load(floats, at, 1, count);
        multiply(floats, count, factor);
        Operand.of(to).store(floats, first, 1, count);
        return areFinite(floats, count);
      }
      Operand.of(from).load(doubles, at, 1, count);
      multiply(doubles, count, factor);
      Operand.of(to).store(doubles, first, 1, count);
      return areFinite(doubles, count);
    }

    private static void multiply(float[] elements, int count, double factor) {
      for (int i = 0; i < count; i++) {
        elements[i] = (float) (elements[i] * factor);
      }
    }

    private static void multiply(double[] elements, int count, double factor) {
      for (int i = 0; i < count; i++) {
        elements[i] *= factor;
      }
    }

    private static boolean areFinite(float[] elements, int count) {
      float most = 0;
      for (int i = 0; i < count; i++) {
        most = Math.max(most, Math.abs(elements[i]));
      }
      return Float.isFinite(most);
    }

    private static boolean areFinite(double[] elements, int count) {
      double most = 0;
      for (int i = 0; i < count; i++) {
        most = Math.max(most, Math.abs(elements[i]));
      }
      return Double.isFinite(most);
    }
  }

  /** Whether the shifts are finite after rounding to the weight's dtype. */
  private boolean canShift() {
    boolean single = weight.dtype() == DType.FLOAT32;
    for (double each : shift) {
      if (!Double.isFinite(single ? (float) each : each)) {
        return false;
      }
    }
    return true;
  }
}
