package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Cross entropies of yes-or-no answers. */
final class BinaryLosses {
  private static final double LEAST_LOG = -100;

  private BinaryLosses() {}

  static void addTo(Catalog.Builder catalog) {
    LossOperations.pair(
        catalog,
        "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)",
        BinaryLosses::crossEntropy);
    LossOperations.pair(
        catalog,
        "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor?"
            + " pos_weight=None, int reduction=1)",
        BinaryLosses::ofLogits);
  }

  private static Object crossEntropy(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    if (self.dtype() != call.tensor(1).dtype()) {
      return Fault.dtype(
              Message.of(
                  "`target` must have the dtype of the input, %s, but it is %s",
                  self.dtype(), call.tensor(1).dtype()))
          .withExpected("the same dtype " + self.dtype(), call.tensor(1).dtype().toString());
    }
    if (!self.dtype().isFloating()) {
      return Pointwise.refusal("binary_cross_entropy", self.dtype());
    }
    Object shape = Pointwise.shape(self, call.tensor(1));
    boolean some = shape instanceof Shape known && known.elements() > 0;
    Fault fault = some ? outside(new Lookout(call), self) : null;
    if (fault != null) {
      return fault;
    }
    Rule rule = Formulas.crossEntropy(LEAST_LOG);
    Object losses = LossOperations.compared(call, "binary_cross_entropy", rule);
    losses = LossOperations.weighted(steps, losses, call.optionalTensor(2));
    return LossOperations.reduced(steps, losses, call.integer(3));
  }

  /** The fault of an input that is no probability, or of a cancellation; or null. */
  private static @Nullable Fault outside(Lookout lookout, DenseTensor input) {
    Reals elements = Reals.of(lookout, input);
    for (long i = 0; i < elements.size() && lookout.fault() == null; i++) {
      double element = elements.at(i);
      if (!(element >= 0 && element <= 1)) {
        return Fault.value("all elements of the input must be from 0 to 1; apply `sigmoid` before")
            .withExpected("elements from 0 to 1", "an element outside");
      }
    }
    return lookout.fault();
  }

  private static Object ofLogits(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor target = call.tensor(1);
    DenseTensor positive = call.optionalTensor(3);
    DType computed = Promotion.of(self, target).result();
    Object losses;
    if (positive == null) {
      Rule rule = Formulas.LOGITS_CROSS_ENTROPY;
      losses = Pointwise.apply(call, false, "log", computed, rule, self, target);
    } else {
      Rule rule = Formulas.WEIGHTED_LOGITS_CROSS_ENTROPY;
      losses = Pointwise.apply(call, false, "log", computed, rule, self, target, positive);
    }
    losses = LossOperations.weighted(steps, losses, call.optionalTensor(2));
    return LossOperations.reduced(steps, losses, call.integer(4));
  }
}
