package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.reduce.RealRow;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code layer_norm}: one mean and variance for each run over the last dimensions. */
public final class LayerNormalization {
  private LayerNormalization() {}

  /** Takes the call of {@code aten::layer_norm}; gives a new tensor, or a fault. */
  public static Object run(Call call) {
    Object form = form(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    DenseTensor input = call.tensor(0);
    long[] shape = call.integers(1);
    long[] dims = new long[shape.length];
    Arrays.setAll(dims, d -> input.rank() - shape.length + d);
    Object groups = Reduction.over(input, dims, false);
    Object made = groups instanceof Fault ? groups : call.allocate(known.dtype(), known.shape());
    if (!(groups instanceof Reduction from) || !(made instanceof DenseTensor target)) {
      return made;
    }
    Lookout lookout = new Lookout(call);
    Reduction to = (Reduction) Reduction.over(target, dims, false);
    try (Temporaries temporaries = new Temporaries()) {
      Object row = RealRow.kept(call, lookout, temporaries, from);
      return Lookout.finished(
          target,
          row instanceof RealRow kept ? normalize(call, lookout, from, to, kept) : (Fault) row);
    }
  }

  /** The form of what {@link #run} gives; or the fault. */
  static Object form(Operands operands) {
    Shape input = operands.shape(0);
    long[] shape = operands.integers(1);
    Fault fault =
        Demands.first(
            Demands.floating("layer_norm", operands.dtype(0)),
            checkShape(input, shape),
            checkParameter(operands, "weight", 2, shape),
            checkParameter(operands, "bias", 3, shape));
    return fault == null ? TensorForm.contiguous(operands.dtype(0), input) : fault;
  }

  private static @Nullable Fault normalize(
      Call call, Lookout lookout, Reduction from, Reduction to, RealRow row) {
    RealRow scale = parameter(lookout, call.optionalTensor(2));
    RealRow shift = parameter(lookout, call.optionalTensor(3));
    return from.each(
        lookout,
        group -> {
          double factor = center(row.of(group), from.count(), call.real(4));
          start(scale);
          start(shift);
          for (int n = row.first(); n > 0; n = row.next()) {
            affine(
                row.values(),
                n,
                factor,
                scale == null ? null : scale.values(),
                shift == null ? null : shift.values());
            to.store(group, row.start(), n, row.values());
            advance(scale);
            advance(shift);
          }
        });
  }

  /** The parameter's elements, in the chunks of a group's. */
  private static @Nullable RealRow parameter(Lookout lookout, @Nullable DenseTensor tensor) {
    return tensor == null
        ? null
        : RealRow.of((Reduction) Reduction.over(tensor, new long[0], false), lookout);
  }

  private static void start(@Nullable RealRow parameter) {
    if (parameter != null) {
      parameter.first();
    }
  }

  private static void advance(@Nullable RealRow parameter) {
    if (parameter != null) {
      parameter.next();
    }
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
      double[] values,
      int count,
      double factor,
      double @Nullable [] scale,
      double @Nullable [] shift) {
    for (int i = 0; i < count; i++) {
      values[i] *= factor;
      double scaled = scale == null ? values[i] : values[i] * scale[i];
      values[i] = shift == null ? scaled : scaled + shift[i];
    }
  }

  private static @Nullable Fault checkShape(Shape input, long[] shape) {
    long[] sizes = input.toArray();
    if (shape.length == 0) {
      return Fault.shape(
          "`normalized_shape` is empty; name at least the last size of the input " + input);
    }
    int lead = sizes.length - shape.length;
    if (lead >= 0 && Arrays.equals(sizes, lead, sizes.length, shape, 0, shape.length)) {
      return null;
    }
    String wanted = "[*, " + Arrays.toString(shape).substring(1);
    String text = "`normalized_shape` %s takes an input %s, but its shape is %s";
    return Demands.shape(
        Message.of(text, Arrays.toString(shape), wanted, input), "input " + wanted, input);
  }

  private static @Nullable Fault checkParameter(
      Operands operands, String name, int at, long[] shape) {
    TensorForm parameter = operands.optionalForm(at);
    if (parameter != null && !Arrays.equals(parameter.shape().toArray(), shape)) {
      String text = "`%s` must be %s as `normalized_shape` is, but its shape is %s";
      return Demands.shape(
          Message.of(text, name, Arrays.toString(shape), parameter.shape()),
          name + " " + Arrays.toString(shape),
          parameter.shape());
    }
    return Demands.sameDType(
        "layer_norm", operands.dtype(0), name, parameter == null ? null : parameter.dtype());
  }
}
