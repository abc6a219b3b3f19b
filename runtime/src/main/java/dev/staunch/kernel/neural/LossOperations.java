package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;

/**
 * Losses that compare two tensors element by element. {@code reduction} is libtorch's code: 0 keeps
 * the elements, 1 takes their mean, 2 their sum.
 */
final class LossOperations {
  private static final long MEAN = 1;
  private static final long SUM = 2;

  private LossOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Composite.one(
        widened.out("out"),
        "mse_loss(Tensor self, Tensor target, int reduction=1)",
        (steps, call) ->
            reduced(
                steps,
                compared(steps, call, "mse_loss", Formulas.squaredDifference()),
                call.integer(2)));
    Composite.one(
        widened, "l1_loss(Tensor self, Tensor target, int reduction=1)", LossOperations::absolute);
    Composite.one(
        widened,
        "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.)",
        LossOperations::smooth);
    Composite.one(
        catalog,
        "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.)",
        LossOperations::huber);
    Composite.one(
        widened,
        "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False)",
        LossOperations::divergence);
    Composite.one(
        catalog,
        "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int"
            + " reduction)",
        LossOperations::poisson);
    Composite.one(
        widened,
        "soft_margin_loss(Tensor self, Tensor target, int reduction=1)",
        (steps, call) ->
            reduced(
                steps,
                ofInput(
                    steps, call, compared(steps, call, "soft_margin_loss", Formulas.softMargin())),
                call.integer(2)));
    BinaryLosses.addTo(catalog);
    MarginLosses.addTo(widened);
    ClassLosses.addTo(catalog);
  }

  /** The mean or sum of all losses, or the losses unchanged. */
  static Object reduced(Steps steps, Object losses, long reduction) {
    return reduction == MEAN
        ? steps.run("mean", losses)
        : reduction == SUM ? steps.run("sum", losses) : losses;
  }

  /** Combines the first two arguments, which are reals after promotion. */
  static Object compared(Steps steps, Operands call, String name, Rule rule) {
    return steps.apply(Pointwise.of(name, rule), call.value(0), call.value(1));
  }

  private static Object absolute(Steps steps, Operands call) {
    Object away = steps.run("abs", steps.difference(call.value(0), call.value(1)));
    return reduced(steps, away, call.integer(2));
  }

  private static Object smooth(Steps steps, Operands call) {
    double beta = call.real(3);
    if (beta < 0) {
      return Fault.value("`beta` of smooth_l1_loss must not be negative, but it is " + beta);
    }
    Rule rule = Formulas.smoothL1(beta);
    return reduced(steps, compared(steps, call, "smooth_l1_loss", rule), call.integer(2));
  }

  private static Object huber(Steps steps, Operands call) {
    double delta = call.real(3);
    if (!(delta > 0)) {
      return Fault.value("`delta` of huber_loss must be positive, but it is " + delta);
    }
    Rule rule = Formulas.huber(delta);
    Object losses = compared(steps, call, "huber_loss", rule);
    return reduced(steps, ofInput(steps, call, losses), call.integer(2));
  }

  /** The losses in the input's dtype if the input is real, whatever the target's dtype. */
  private static Object ofInput(Steps steps, Operands call, Object losses) {
    DType own = call.dtype(0);
    return own.isFloating() ? steps.cast(losses, own) : losses;
  }

  private static Object divergence(Steps steps, Operands call) {
    for (int i = 0; i < 2; i++) {
      String name = i == 0 ? "self" : "target";
      if (call.dtype(i).kind() == DType.Kind.INTEGRAL) {
        return Fault.dtype(
                Message.of("`%s` of kl_div must be floating, but it is %s", name, call.dtype(i)))
            .withExpected(ExpectedDType.FLOATING.in(name), call.dtype(i));
      }
    }
    Rule rule = call.bool(3) ? Formulas.logDivergence() : Formulas.divergence();
    return reduced(steps, compared(steps, call, "kl_div", rule), call.integer(2));
  }

  private static Object poisson(Steps steps, Operands call) {
    Rule rule = Formulas.poisson(call.bool(2), call.bool(3), call.real(4));
    boolean exact = call.dtype(0).kind() == DType.Kind.INTEGRAL;
    Object input = exact ? steps.cast(call.value(0), DType.FLOAT32) : call.value(0);
    Object losses = steps.apply(Pointwise.of("poisson_nll_loss", rule), input, call.value(1));
    return reduced(steps, losses, call.integer(5));
  }

  /** The losses times {@code weight}, if there is one. */
  static Object weighted(Steps steps, Object losses, Object weight) {
    return weight == None.NONE ? losses : steps.product(losses, weight);
  }
}
