package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;

/** {@code rms_norm}: each group over its root mean square, as newer transformers normalise. */
final class RootMeanSquareNormalization {
  private RootMeanSquareNormalization() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog,
        "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float?"
            + " eps=None) -> Tensor",
        RootMeanSquareNormalization::rootMeanSquare);
  }

  private static Object rootMeanSquare(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    long[] shape = call.integers(1);
    DenseTensor weight = call.optionalTensor(2);
    int lead = self.rank() - shape.length;
    boolean fits = shape.length > 0 && lead >= 0;
    for (int d = 0; fits && d < shape.length; d++) {
      fits = self.shape().size(lead + d) == shape[d];
    }
    if (!fits) {
      String text = "`normalized_shape` %s must be the last sizes of the input, whose shape is %s";
      return Fault.shape(Message.of(text, Arrays.toString(shape), self.shape()));
    }
    long[] dims = new long[shape.length];
    Arrays.setAll(dims, d -> lead + d);
    double eps =
        call.isNone(3) ? (self.dtype() == DType.FLOAT64 ? 0x1p-52 : 0x1p-23) : call.real(3);
    Object square = steps.run("mean.dim", steps.run("square", self), Steps.ints(dims), true);
    Object root = steps.run("rsqrt", steps.run("add.Scalar", square, eps));
    Object result = steps.product(self, root);
    return weight == null ? result : steps.product(result, weight);
  }
}
