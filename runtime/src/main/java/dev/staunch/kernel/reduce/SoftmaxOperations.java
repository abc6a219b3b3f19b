package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Softmax along one dimension, and its logarithm. */
final class SoftmaxOperations {
  private SoftmaxOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean log : new boolean[] {false, true}) {
      String name = log ? "log_softmax" : "softmax";
      softmax(
          catalog,
          name + ".int(Tensor self, int dim, ScalarType? dtype=None)",
          call -> form(call, name, call.optionalDType(2)),
          log);
      softmax(
          catalog,
          "_" + name + "(Tensor self, int dim, bool half_to_float)",
          call -> form(call, name, call.bool(2) ? DType.FLOAT32 : null),
          log);
    }
  }

  private static void softmax(Catalog.Builder catalog, String head, Inference form, boolean log) {
    catalog
        .inferring(form)
        .one(
            "aten::" + head + " -> Tensor",
            Marking.one(call -> softmax(call, form.infer(call), log)));
  }

  private static Object form(Operands operands, String name, @Nullable DType asked) {
    DType dtype = asked == null ? operands.dtype(0) : asked;
    long[] dim = {operands.integer(1)};
    Object shape = ReductionOperations.shape(operands, name, dtype, dim, false);
    if (shape instanceof Shape && !dtype.isFloating()) {
      return Pointwise.refusal(name, dtype);
    }
    return shape instanceof Shape ? TensorForm.contiguous(dtype, operands.shape(0)) : shape;
  }

  private static Object softmax(Call call, Object form, boolean log) {
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    long[] dim = {call.integer(1)};
    Reduction from = (Reduction) Reduction.over(call.tensor(0), dim, false);
    Object made = call.allocate(known.dtype(), known.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, dim, false);
    Lookout lookout = new Lookout(call);
    try (Temporaries temporaries = new Temporaries()) {
      Object row = RealRow.kept(call, lookout, temporaries, from);
      Fault stop =
          row instanceof RealRow elements
              ? from.each(lookout, group -> softmax(elements.of(group), log, to, group))
              : (Fault) row;
      return Lookout.finished(target, stop);
    }
  }

  /** The greatest element, or NaN if one is; negative infinity if there are none. */
  static double greatest(RealRow row) {
    double most = Double.NEGATIVE_INFINITY;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        most = Math.max(most, values[i]);
      }
    }
    return most;
  }

  private static void softmax(RealRow row, boolean log, Reduction to, int group) {
    double most = greatest(row);
    double sum = 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        double off = values[i] - most;
        double power = Math.exp(off);
        sum += power;
        values[i] = log ? off : power;
      }
    }
    double logarithm = log ? Math.log(sum) : 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        values[i] = log ? values[i] - logarithm : values[i] / sum;
      }
      to.store(group, row.start(), n, values);
    }
  }
}
