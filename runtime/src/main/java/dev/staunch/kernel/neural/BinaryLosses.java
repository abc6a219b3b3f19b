package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Binary cross entropies. */
final class BinaryLosses {
  private static final double LEAST_LOG = -100;

  private static final Pointwise CROSS_ENTROPY =
      new Pointwise(BinaryLosses::elements, /* inPlace= */ false);
  private static final Pointwise OF_LOGITS = Pointwise.of("log", Formulas.logitsCrossEntropy());
  private static final Pointwise WEIGHTED_OF_LOGITS =
      new Pointwise(BinaryLosses::logits, /* inPlace= */ false);

  private BinaryLosses() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.one(
        catalog.with(Trait.FAILS_ON_VALUES, Trait.AUTOCAST_REFUSES),
        "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)",
        BinaryLosses::crossEntropy);
    Composite.one(
        catalog.with(Trait.AUTOCAST_WIDENS),
        "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor?"
            + " pos_weight=None, int reduction=1)",
        BinaryLosses::ofLogits);
  }

  private static Object crossEntropy(Steps steps, Operands call) {
    Object losses = steps.apply(CROSS_ENTROPY, call.value(0), call.value(1));
    losses = LossOperations.weighted(steps, losses, call.value(2));
    return LossOperations.reduced(steps, losses, call.integer(3));
  }

  private static Object elements(Operands operands) {
    DType self = operands.dtype(0);
    DType target = operands.dtype(1);
    if (self != target) {
      return Fault.dtype(
              Message.of(
                  "`target` must have the dtype of the input, %s, but it is %s", self, target))
          .withExpected(ExpectedDType.same(self), target);
    }
    if (!self.isFloating()) {
      return Pointwise.refusal("binary_cross_entropy", self);
    }
    return Combination.of(
            "binary_cross_entropy",
            Promotion.of(operands.value(0), operands.value(1)).result(),
            Formulas.crossEntropy(LEAST_LOG),
            operands.value(0),
            operands.value(1))
        .checked(BinaryLosses::outside);
  }

  /** The fault for an input that is not a probability, or of a cancellation; else null. */
  private static @Nullable Fault outside(Call call) {
    Object shape = Pointwise.shape(call.tensor(0), call.tensor(1));
    boolean none = shape instanceof Shape known && known.elements() == 0;
    if (none) {
      return null;
    }
    boolean[] within = {true};
    Fault stop =
        Reals.of(new CancellationPoll(call), call.tensor(0))
            .each((first, count, values) -> within[0] &= areWithin(values, count));
    return within[0]
        ? stop
        : Fault.value("all elements of the input must be from 0 to 1; apply `sigmoid` before")
            .withExpected("elements from 0 to 1", "an element outside");
  }

  private static boolean areWithin(double[] values, int count) {
    boolean all = true;
    for (int i = 0; i < count; i++) {
      all &= Math.min(Math.max(values[i], 0), 1) == values[i];
    }
    return all;
  }

  private static Object ofLogits(Steps steps, Operands call) {
    Object self = call.value(0);
    Object target = call.value(1);
    DType dtype = call.dtype(1);
    if (call.dtype(0).isFloating() && !dtype.isFloating()) {
      return Fault.dtype("`target` must be floating, as the input is, but it is " + dtype)
          .withExpected(ExpectedDType.FLOATING.in("target"), dtype);
    }
    Object losses =
        call.isNone(3)
            ? steps.apply(OF_LOGITS, self, target)
            : steps.apply(WEIGHTED_OF_LOGITS, self, target, call.value(3));
    Object cast = dtype.isFloating() && Steps.isTensor(losses) ? steps.cast(losses, dtype) : losses;
    losses = LossOperations.weighted(steps, cast, call.value(2));
    return LossOperations.reduced(steps, losses, call.integer(4));
  }

  /** The result has the common dtype of the first two operands. */
  private static Object logits(Operands operands) {
    return Combination.of(
        "log",
        Promotion.of(operands.value(0), operands.value(1)).result(),
        Formulas.weightedLogitsCrossEntropy(),
        operands.value(0),
        operands.value(1),
        operands.value(2));
  }
}
