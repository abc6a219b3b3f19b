package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code layer_norm}: one mean and variance for each group that spans the last dimensions. */
public final class LayerNormalization {
  private LayerNormalization() {}

  /** Runs a call of {@code aten::layer_norm}; returns a new tensor, or a fault. */
  public static Object run(Call call) {
    Object form = form(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    DenseTensor input = call.tensor(0);
    long[] shape = call.integers(1);
    DenseTensor weight = call.optionalTensor(2);
    DenseTensor bias = call.optionalTensor(3);
    long[] dims = new long[shape.length];
    Arrays.setAll(dims, d -> input.rank() - shape.length + d);
    Object groups = Reduction.over(input, dims, false);
    Object made = groups instanceof Fault ? groups : call.allocate(known.dtype(), known.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    RowNormalization.Request request =
        new RowNormalization.Request(
            input.dtype(),
            input.layout(),
            target.layout(),
            shape.length,
            weight == null ? null : weight.layout(),
            bias == null ? null : bias.layout(),
            call.real(4));
    Fault stop =
        Preparation.of(
                call.preparation(), 0, request, call.environment().kernels()::rowNormalization)
            .run(call.environment(), input, weight, bias, target);
    return CancellationPoll.finished(target, stop);
  }

  /** The form of the result of {@link #run}; or the fault. */
  static Object form(Operands operands) {
    Shape input = operands.shape(0);
    long[] shape = operands.integers(1);
    Fault fault =
        OperandChecks.first(
            OperandChecks.floating("layer_norm", operands.dtype(0)),
            checkShape(input, shape),
            checkParameter(operands, "weight", 2, shape),
            checkParameter(operands, "bias", 3, shape));
    return fault == null ? TensorForm.contiguous(operands.dtype(0), input) : fault;
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
    return OperandChecks.shape(
        Message.of(text, Arrays.toString(shape), wanted, input), "input " + wanted, input);
  }

  private static @Nullable Fault checkParameter(
      Operands operands, String name, int at, long[] shape) {
    TensorForm parameter = operands.optionalForm(at);
    if (parameter != null && !Arrays.equals(parameter.shape().toArray(), shape)) {
      String text = "`%s` must be %s as `normalized_shape` is, but its shape is %s";
      return OperandChecks.shape(
          Message.of(text, name, Arrays.toString(shape), parameter.shape()),
          name + " " + Arrays.toString(shape),
          parameter.shape());
    }
    return OperandChecks.sameDType(
        "layer_norm", operands.dtype(0), name, parameter == null ? null : parameter.dtype());
  }
}
