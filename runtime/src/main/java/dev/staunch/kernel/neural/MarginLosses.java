package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;

/** Losses that require a margin between the correct answer and the others. */
final class MarginLosses {
  private static final double COSINE_EPS = 1e-12;

  private MarginLosses() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.one(
        catalog,
        "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int"
            + " reduction=1)",
        MarginLosses::ranking);
    Composite.one(
        catalog,
        "hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1)",
        MarginLosses::hinge);
    Composite.one(
        catalog.withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING)),
        "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int"
            + " reduction=1)",
        MarginLosses::cosine);
    Composite.one(
        catalog,
        "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.,"
            + " float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1)",
        MarginLosses::triplet);
  }

  private static Object ranking(Steps steps, Operands call) {
    Object first = call.value(0);
    Object away = steps.difference(first, call.value(1));
    Object wrong = steps.product(steps.run("neg", call.value(2)), away);
    Object losses = steps.run("clamp_min", steps.run("add.Scalar", wrong, call.real(3)), 0L);
    return LossOperations.reduced(steps, losses, call.integer(4));
  }

  private static Object hinge(Steps steps, Operands call) {
    Rule rule = Formulas.hinge(call.real(2));
    Object losses = LossOperations.compared(steps, call, "hinge_embedding_loss", rule);
    return LossOperations.reduced(steps, steps.cast(losses, call.dtype(0)), call.integer(3));
  }

  private static Object cosine(Steps steps, Operands call) {
    Object target = call.value(2);
    int rank = call.rank(0);
    if (call.rank(2) > 1 || rank != call.rank(2) + 1) {
      return Fault.shape(
          Message.of(
              "a target of shape %s goes with inputs of one dimension more, but theirs are %s and %s",
              call.shape(2), call.shape(0), call.shape(1)));
    }
    Object cosine = similarity(steps, call.value(0), call.value(1), rank - 1);
    Object near = steps.run("rsub.Scalar", cosine, 1L);
    Object far = steps.run("clamp_min", steps.run("sub.Scalar", cosine, call.real(3)), 0L);
    Object zero = steps.run("zeros_like", near);
    Object ofNear = steps.run("where.self", steps.run("eq.Scalar", target, 1L), near, zero);
    Object ofFar = steps.run("where.self", steps.run("eq.Scalar", target, -1L), far, zero);
    return LossOperations.reduced(steps, steps.sum(ofNear, ofFar), call.integer(4));
  }

  private static Object similarity(Steps steps, Object a, Object b, int dim) {
    Object dims = Steps.ints(dim);
    Object along = steps.run("sum.dim_IntList", steps.product(a, b), dims);
    Object squareA = steps.run("sum.dim_IntList", steps.product(a, a), dims);
    Object squareB = steps.run("sum.dim_IntList", steps.product(b, b), dims);
    Object scale =
        steps.product(
            steps.run("add.Scalar", squareA, COSINE_EPS),
            steps.run("add.Scalar", squareB, COSINE_EPS));
    return steps.run("div.Tensor", along, steps.run("sqrt", scale));
  }

  private static Object triplet(Steps steps, Operands call) {
    double p = call.real(4);
    double eps = call.real(5);
    Object anchor = call.value(0);
    int rank = call.rank(0);
    if (rank != call.rank(1) || rank != call.rank(2)) {
      return Fault.shape(
          Message.of(
              "`anchor`, `positive` and `negative` must have one rank, but the shapes are %s, %s and %s",
              call.shape(0), call.shape(1), call.shape(2)));
    }
    Object near = steps.run("pairwise_distance", anchor, call.value(1), p, eps);
    Object far = steps.run("pairwise_distance", anchor, call.value(2), p, eps);
    if (call.bool(6)) {
      Object swapped = steps.run("pairwise_distance", call.value(1), call.value(2), p, eps);
      far = steps.run("minimum", far, swapped);
    }
    Object raw = steps.run("add.Scalar", steps.difference(near, far), call.real(3));
    return LossOperations.reduced(steps, steps.run("clamp_min", raw, 0L), call.integer(7));
  }
}
