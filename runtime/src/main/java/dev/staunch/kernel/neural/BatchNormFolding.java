package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.loop.ChannelRuns;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What {@code batch_norm} with known statistics makes of a weight and a bias, in doubles. */
final class BatchNormFolding {
  private final Call call;
  private final CancellationPoll poll;
  private final DenseTensor weight;
  private final double[] scale;
  private final double[] shift;
  private boolean finite = true;

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
    Object rows = call.allocate(weight.dtype(), weight.shape());
    if (!(rows instanceof DenseTensor target)) {
      return rows;
    }
    Object sums = DenseTensor.allocate(call.scope(), weight.dtype(), Shape.of(shift.length));
    Fault fault = sums instanceof Fault full ? full : scaleInto(target);
    if (fault == null && sums instanceof DenseTensor bias) {
      Operand.of(bias).store(shift, 0, 1, shift.length);
      if (finite && areFinite(shift, 0, shift.length)) {
        return new ChannelScaling.Parameters(target, bias);
      }
      fault = Fault.value("a folded element of batch_norm is not finite");
    }
    target.close();
    if (sums instanceof DenseTensor bias) {
      bias.close();
    }
    return fault == null ? sums : fault;
  }

  private @Nullable Fault scaleInto(DenseTensor target) {
    try (Temporaries views = new Temporaries()) {
      Object from = views.note(weight.view(call.scope(), ofOneImage(weight.layout())));
      Object to = views.note(target.view(call.scope(), ofOneImage(target.layout())));
      if (!(from instanceof DenseTensor values) || !(to instanceof DenseTensor result)) {
        return from instanceof Fault fault ? fault : (Fault) to;
      }
      return ChannelRuns.each(
          poll,
          values,
          result,
          (channel, elements, start, end) -> {
            scale(elements, start, end, scale[channel]);
            finite &= areFinite(elements, start, end);
          });
    }
  }

  private static void scale(double[] elements, int start, int end, double factor) {
    for (int i = start; i < end; i++) {
      elements[i] *= factor;
    }
  }

  /** Whether the elements will be finite once they are rounded to the weight's dtype. */
  private boolean areFinite(double[] elements, int start, int end) {
    double most = 0;
    for (int i = start; i < end; i++) {
      most = Math.max(most, Math.abs(elements[i]));
    }
    return weight.dtype() == DType.FLOAT32 ? Float.isFinite((float) most) : Double.isFinite(most);
  }

  private static Layout ofOneImage(Layout layout) {
    Shape shape = Shape.of(Views.with(layout.shape().toArray(), 0, 1));
    return new Layout(shape, Views.with(layout.strides(), 0, 0), layout.offset());
  }
}
