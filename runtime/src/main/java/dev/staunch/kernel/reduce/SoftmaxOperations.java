package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Halves;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
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
      // autocast widens softmax only on other devices
      Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
      softmax(
          log ? narrow.with(Trait.AUTOCAST_WIDENS) : narrow,
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
        .withInference(form)
        .one("aten::" + head + " -> Tensor", call -> softmax(call, form.infer(call), log));
  }

  private static Object form(Operands operands, String name, @Nullable DType asked) {
    DType dtype = asked == null ? operands.dtype(0) : asked;
    long[] dim = {operands.integer(1)};
    Object shape = ReductionOperands.shape(operands, name, dtype, dim, false);
    if (shape instanceof Shape && !dtype.isFloating()) {
      return Pointwise.refusal(name, dtype);
    }
    return shape instanceof Shape ? TensorForm.contiguous(dtype, operands.shape(0)) : shape;
  }

  private static Object softmax(Call call, Object form, boolean log) {
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    DenseTensor self = call.tensor(0);
    if (known.dtype() != self.dtype()) {
      return Steps.within(call, (steps, inner) -> cast(steps, inner, known.dtype(), log));
    }
    if (Halves.are(self.dtype())) {
      return Steps.within(
          call, (steps, inner) -> steps.cast(cast(steps, inner, DType.FLOAT32, log), self.dtype()));
    }
    if (!self.layout().isContiguous()) {
      return Steps.within(call, (steps, inner) -> inRows(steps, inner, known.dtype(), log));
    }
    Object made = call.allocate(known.dtype(), known.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    long dim = Math.floorMod(call.integer(1), (long) Math.max(1, self.rank()));
    Softmax.Request request =
        new Softmax.Request(
            self.dtype(), self.layout(), known.dtype(), target.layout(), (int) dim, log);
    Fault stop =
        Preparation.of(call.preparation(), 0, request, call.environment().kernels()::softmax)
            .run(call.environment(), self, target);
    return CancellationPoll.finished(target, stop);
  }

  /** A requested dtype applies to the input as well, and a narrow one overflows. */
  private static Object cast(Steps steps, Call call, DType dtype, boolean log) {
    Object self = steps.cast(call.value(0), dtype);
    return steps.run(log ? "log_softmax.int" : "softmax.int", self, call.value(1), None.NONE);
  }

  /** Lines with gaps, or in another order, are copied first: that costs little beside powers. */
  private static Object inRows(Steps steps, Call call, DType dtype, boolean log) {
    Object self = steps.run("contiguous", call.value(0), 0L);
    String name = log ? "log_softmax.int" : "softmax.int";
    return steps.run(name, self, call.value(1), (long) dtype.code());
  }
}
