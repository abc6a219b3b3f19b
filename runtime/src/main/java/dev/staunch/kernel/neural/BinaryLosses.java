package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

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
    boolean[] outside = new boolean[1];
    Object losses =
        LossOperations.compared(
            call,
            "binary_cross_entropy",
            (input, target) -> {
              outside[0] |= !(input >= 0 && input <= 1);
              return (target - 1) * Math.max(Math.log1p(-input), LEAST_LOG)
                  - target * Math.max(Math.log(input), LEAST_LOG);
            });
    if (outside[0]) {
      return Fault.value("all elements of the input must be from 0 to 1; apply `sigmoid` before")
          .withExpected("elements from 0 to 1", "an element outside");
    }
    losses = LossOperations.weighted(steps, losses, call.optionalTensor(2));
    return LossOperations.reduced(steps, losses, call.integer(3));
  }

  private static Object ofLogits(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor target = call.tensor(1);
    DenseTensor positive = call.optionalTensor(3);
    DType computed = Promotion.of(self, target).result();
    Object losses;
    if (positive == null) {
      Rule rule = Rule.binary((x, t) -> (1 - t) * x + softplus(-x), null);
      losses = Pointwise.apply(call, false, "log", computed, rule, self, target);
    } else {
      Rule rule = Rule.ternary((x, t, p) -> (1 - t) * x + ((p - 1) * t + 1) * softplus(-x), null);
      losses = Pointwise.apply(call, false, "log", computed, rule, self, target, positive);
    }
    losses = LossOperations.weighted(steps, losses, call.optionalTensor(2));
    return LossOperations.reduced(steps, losses, call.integer(4));
  }

  private static double softplus(double a) {
    return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
  }
}
