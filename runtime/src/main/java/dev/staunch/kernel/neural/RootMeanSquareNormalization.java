package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.Arrays;

/** {@code rms_norm}: divides each group by its root mean square, as newer transformers do. */
final class RootMeanSquareNormalization {
  private RootMeanSquareNormalization() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog.with(Trait.NARROW_AS_FLOAT32),
        "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float?"
            + " eps=None) -> Tensor",
        RootMeanSquareNormalization::rootMeanSquare);
  }

  private static Object rootMeanSquare(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    long[] shape = call.integers(1);
    int lead = self.rank() - shape.length;
    boolean fits = shape.length > 0 && lead >= 0;
    for (int d = 0; fits && d < shape.length; d++) {
      fits = self.shape().size(lead + d) == shape[d];
    }
    if (!fits) {
      String text = "`normalized_shape` %s must be the last sizes of the input, whose shape is %s";
      return Fault.shape(Message.of(text, Arrays.toString(shape), self.shape()));
    }
    if (!call.isNone(2) && !Arrays.equals(call.shape(2).toArray(), shape)) {
      String text = "`weight` must have the shape %s of `normalized_shape`, but it has %s";
      return Fault.shape(Message.of(text, Arrays.toString(shape), call.shape(2)));
    }
    long[] dims = new long[shape.length];
    Arrays.setAll(dims, d -> lead + d);
    double eps =
        call.isNone(3) ? (self.dtype() == DType.FLOAT64 ? 0x1p-52 : 0x1p-23) : call.real(3);
    Object square =
        steps.run("mean.dim", steps.run("square", call.value(0)), Steps.ints(dims), true);
    Object root = steps.run("rsqrt", steps.run("add.Scalar", square, eps));
    Object result = steps.product(call.value(0), root);
    return call.isNone(2) ? result : steps.product(result, call.value(2));
  }
}
