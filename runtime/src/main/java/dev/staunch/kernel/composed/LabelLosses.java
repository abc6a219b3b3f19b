package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Losses of class scores, based on the margin of the correct classes. */
final class LabelLosses {
  private LabelLosses() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain
            .with(Trait.FAILS_ON_VALUES, Trait.AUTOCAST_WIDENS)
            .withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64));
    Composite.add(
        catalog,
        "aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor?"
            + " weight=None, int reduction=1) -> Tensor",
        LabelLosses::margin);
    Composite.add(
        catalog,
        "aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
        LabelLosses::several);
  }

  private static @Nullable Fault misfit(String name, TensorForm scores, TensorForm target) {
    Fault fault = OperandChecks.floating(name, scores.dtype());
    if (fault != null) {
      return fault.withExpected(ExpectedDType.of(DType.FLOAT32).in("self"), scores.dtype());
    }
    if (target.dtype() != DType.INT64) {
      fault =
          Fault.dtype(Message.of("%s takes labels of int64, but got %s", name, target.dtype()))
              .withExpected(ExpectedDType.of(DType.INT64), target.dtype());
    }
    if (fault == null && (scores.rank() > 2 || classes(scores) == 0)) {
      String text = "%s takes scores [n, c], [c] or [] of one or more classes, but got %s";
      fault =
          OperandChecks.shape(
              Message.of(text, name, scores.shape()), "[n, c], [c] or []", scores.shape());
    }
    return fault;
  }

  /** The number of scores in a row; a score without dimensions is a row. */
  private static long classes(TensorForm scores) {
    return scores.rank() == 0 ? 1 : scores.shape().size(scores.rank() - 1);
  }

  /** What exceeds zero; where it is no number, nothing does. */
  private static Object excess(Steps steps, Object values) {
    return steps.run("fmax", values, steps.run("zeros_like", values));
  }

  private static Object margin(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    TensorForm target = call.form(1);
    Fault fault = misfit("multi_margin_loss", self, target);
    double power = call.real(2);
    if (fault == null && power != 1 && power != 2) {
      fault = Fault.value("multi_margin_loss takes a `p` of 1 or 2, but it is " + power);
    }
    TensorForm weight = call.optionalForm(4);
    if (fault == null && weight != null) {
      fault = OperandChecks.sameDType("multi_margin_loss", self.dtype(), "weight", weight.dtype());
    }
    if (fault != null) {
      return fault;
    }
    boolean single = target.rank() == 0;
    long classes = classes(self);
    Object scores = steps.view(call.value(0), -1, classes);
    Object labels = steps.view(call.value(1), -1, 1);
    Object right = steps.run("gather", scores, 1L, labels);
    Object ahead = steps.difference(scores, right);
    Object short1 = excess(steps, steps.run("add.Scalar", ahead, call.value(3)));
    Object lost = power == 2 ? steps.product(short1, short1) : short1;
    if (!call.isNone(4)) {
      Object weights = steps.run("index_select", call.value(4), 0L, steps.view(call.value(1), -1));
      lost = steps.product(lost, steps.run("unsqueeze", weights, 1L));
    }
    Object others = steps.run("scatter.value", lost, 1L, labels, 0L);
    Object each =
        steps.run(
            "div.Scalar", steps.run("sum.dim_IntList", others, Steps.ints(1), false), classes);
    return reduced(steps, single ? steps.view(each) : each, call.integer(5));
  }

  /** The labels of a row up to the first negative one are the correct classes. */
  private static Object several(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    TensorForm target = call.form(1);
    Fault fault = misfit("multilabel_margin_loss", self, target);
    boolean one = self.rank() == 0 && target.shape().equals(Shape.of(1));
    if (fault == null && !one && !self.shape().equals(target.shape())) {
      String text = "multilabel_margin_loss takes labels of the scores' shape %s, but got %s";
      fault =
          OperandChecks.shape(
              Message.of(text, self.shape(), target.shape()),
              self.shape().toString(),
              target.shape());
    }
    if (fault != null) {
      return fault;
    }
    long classes = classes(self);
    Object scores = steps.view(call.value(0), -1, classes);
    Object labels = steps.view(call.value(1), -1, classes);
    Object named = steps.run("cumprod", steps.run("ge.Scalar", labels, 0L), 1L, 4L);
    Object places = steps.product(labels, named);
    Object none = steps.run("zeros_like", labels);
    Object right = steps.run("scatter_reduce.two", none, 1L, places, named, "amax");
    Object known = steps.run("clamp_min", labels, 0L); // a label below -1 is refused as it is
    Object index = steps.run("where.self", steps.run("lt.Scalar", labels, -1L), labels, known);
    Object asked = steps.run("gather", scores, 1L, index);
    Object ahead =
        steps.difference(steps.run("unsqueeze", scores, 1L), steps.run("unsqueeze", asked, 2L));
    Object lost = excess(steps, steps.run("add.Scalar", ahead, 1L));
    Object wrong = steps.run("unsqueeze", steps.run("rsub.Scalar", right, 1L), 1L);
    Object pairs = steps.product(wrong, steps.run("unsqueeze", named, 2L));
    Object counted = steps.run("masked_fill.Scalar", lost, steps.run("eq.Scalar", pairs, 0L), 0L);
    Object sums = steps.run("sum.dim_IntList", counted, Steps.ints(1, 2), false);
    Object each = steps.run("div.Scalar", sums, classes);
    return reduced(steps, self.rank() <= 1 ? steps.view(each) : each, call.integer(2));
  }

  /** The losses unchanged, their mean, or their sum. */
  static Object reduced(Steps steps, Object losses, long reduction) {
    return switch ((int) reduction) {
      case 0 -> losses;
      case 1 -> steps.run("mean", losses);
      case 2 -> steps.run("sum", losses);
      default -> Fault.value("`reduction` is 0, 1 or 2, but it is " + reduction);
    };
  }
}
