package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Softmax along one dimension, and its logarithm. */
final class SoftmaxOperations {
  private SoftmaxOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean log : new boolean[] {false, true}) {
      String name = log ? "log_softmax" : "softmax";
      catalog.one(
          "aten::" + name + ".int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
          Marking.one(call -> softmax(call, name, call.optionalDType(2), log)));
      catalog.one(
          "aten::_" + name + "(Tensor self, int dim, bool half_to_float) -> Tensor",
          Marking.one(call -> softmax(call, name, call.bool(2) ? DType.FLOAT32 : null, log)));
    }
  }

  private static Object softmax(Call call, String name, @Nullable DType asked, boolean log) {
    DenseTensor self = call.tensor(0);
    DType dtype = asked == null ? self.dtype() : asked;
    long[] dim = {call.integer(1)};
    Object over = ReductionOperations.over(call, name, dtype, dim, false);
    if (!(over instanceof Reduction from)) {
      return over;
    }
    if (!dtype.isFloating()) {
      return Pointwise.refusal(name, dtype);
    }
    Object made = call.allocate(dtype, self.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, dim, false);
    double[] values = new double[from.count];
    Fault stop =
        from.each(
            call,
            group -> {
              from.load(group, 0, values);
              softmax(values, log);
              to.store(group, values);
            });
    if (stop != null) {
      target.close();
      return stop;
    }
    return target;
  }

  private static void softmax(double[] values, boolean log) {
    double most = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      most = Math.max(most, value);
    }
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      double off = values[i] - most;
      double power = Math.exp(off);
      sum += power;
      values[i] = log ? off : power;
    }
    double logarithm = log ? Math.log(sum) : 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = log ? values[i] - logarithm : values[i] / sum;
    }
  }
}
