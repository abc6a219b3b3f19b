package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Tensors whose slices get other norms, and the leaky ReLU with a random slope. */
final class NormedTensors {
  private NormedTensors() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor",
        (steps, call) -> weight(steps, call, norms(steps, call.value(0), call.integer(2))));
    Composite.addMany(
        catalog,
        "aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
        (steps, call) -> {
          Object norms = norms(steps, call.value(0), call.integer(2));
          Object result = weight(steps, call, norms);
          return Steps.isTensor(result) ? new Object[] {result, norms} : result;
        });
    Composite.add(
        catalog.with(Trait.AUTOCAST_WIDENS, Trait.COPIED_IN_PLACE),
        "aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
        NormedTensors::renormed);
    Composite.add(
        catalog.with(Trait.COPIED_IN_PLACE),
        "aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool"
            + " training=False, Generator? generator=None) -> Tensor",
        NormedTensors::leaky);
  }

  /** The norms of all slices along a dimension; the norm of the whole tensor if it is -1. */
  private static Object norms(Steps steps, Object v, long dim) {
    Object order = 2L;
    if (dim == -1) {
      return steps.run("linalg_vector_norm", v, order);
    }
    TensorForm form = Steps.form(v);
    if (!(Dimensions.wrap(dim, form.rank()) instanceof Integer at)) {
      return Dimensions.wrap(dim, form.rank());
    }
    return form.rank() < 2 // no other dimension: each element is a slice
        ? steps.run("abs", v)
        : steps.run("linalg_vector_norm", v, order, others(form, at), true);
  }

  private static Object weight(Steps steps, Operands call, Object norms) {
    Object factor = steps.run("div.Tensor", call.value(1), norms);
    return steps.product(call.value(0), factor);
  }

  /** All dimensions except one. */
  private static List<Object> others(TensorForm tensor, int dim) {
    List<Object> others = new ArrayList<>();
    for (long d = 0; d < tensor.rank(); d++) {
      if (d != dim) {
        others.add(d);
      }
    }
    return others;
  }

  private static Object renormed(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    double most = call.real(3);
    Object dim = Dimensions.wrap(call.integer(2), self.rank());
    if (!(dim instanceof Integer at) || self.rank() < 2) {
      return dim instanceof Integer
          ? Fault.shape("renorm takes at least 2 dimensions, but the shape is " + self.shape())
          : dim;
    }
    if (!(most >= 0) || !(call.real(1) > 0)) {
      return Fault.value("renorm takes a positive `p`, and a `maxnorm` that is not negative");
    }
    Object norms =
        steps.run("linalg_vector_norm", call.value(0), call.value(1), others(self, at), true);
    if (!Steps.isTensor(norms)) {
      return norms;
    }
    double greatest = OperandChecks.greatest(Steps.form(norms).dtype());
    double within = Double.isInfinite(most) ? most : Math.min(most, greatest);
    Object limit = steps.run("full_like", norms, within);
    // PyTorch adds 1e-7 so that the result's norm stays within the limit
    Object shrunk = steps.run("div.Tensor", limit, steps.run("add.Scalar", norms, 1e-7));
    Object one = steps.run("ones_like", norms);
    Object factor = steps.run("where.self", steps.run("gt.Tensor", norms, limit), shrunk, one);
    return steps.product(call.value(0), factor);
  }

  private static Object leaky(Steps steps, Operands call) {
    Object self = steps.run("contiguous", call.value(0));
    double lower = call.real(1);
    double upper = call.real(2);
    if (!call.bool(3)) {
      return steps.run("leaky_relu", self, (lower + upper) / 2);
    }
    DType dtype = call.dtype(0);
    if (!dtype.isFloating() || lower > upper) {
      return Fault.value("rrelu takes a floating dtype and bounds that rise");
    }
    Object drawn = steps.run("uniform_", steps.run("empty_like", self), lower, upper, None.NONE);
    Object falls = steps.run("le.Scalar", self, 0L);
    return steps.run("where.self", falls, steps.product(self, drawn), self);
  }
}
