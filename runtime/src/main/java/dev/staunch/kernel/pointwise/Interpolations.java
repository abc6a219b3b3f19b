package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Operations of three tensors: blends, and products or quotients that are added. */
final class Interpolations {
  private Interpolations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Scalar", "Tensor"}) {
      String rest = "Tensor end, " + form + " weight";
      Pointwise.both(catalog, "lerp", form, rest, Interpolations::lerp);
    }
    String rest = "Tensor tensor1, Tensor tensor2, *, Scalar value=1";
    Pointwise.both(catalog, "addcmul", "", rest, Interpolations::addProduct);
    Pointwise.both(catalog, "addcdiv", "", rest, Interpolations::addQuotient);
  }

  private static Object lerp(Call call, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    for (int k = 1; k < 3; k++) {
      if (call.value(k) instanceof DenseTensor other && other.dtype() != self.dtype()) {
        return Fault.dtype(
                Message.of(
                    "`%s` must have the dtype of the tensor, %s, but it is %s",
                    k == 1 ? "end" : "weight", self.dtype(), other.dtype()))
            .withExpected("the same dtype " + self.dtype(), other.dtype().toString());
      }
    }
    return Pointwise.apply(
        call, inPlace, "lerp", self.dtype(), Formulas.LERP, self, call.value(1), call.value(2));
  }

  private static Object addProduct(Call call, boolean inPlace) {
    DType computed = Promotion.of(call.tensor(0), call.tensor(1), call.tensor(2)).result();
    if (call.scalar(3) instanceof Double && computed.kind() == DType.Kind.INTEGRAL) {
      return Fault.dtype("a floating `value` does not scale a product of integers");
    }
    if (computed == DType.BOOL) {
      return Pointwise.refusal("addcmul", computed);
    }
    double real = Scalars.real(call.scalar(3));
    long factor = Scalars.integer(call.scalar(3));
    Rule rule = Formulas.addProduct(real, factor);
    return Pointwise.apply(
        call, inPlace, "addcmul", computed, rule, call.tensor(0), call.tensor(1), call.tensor(2));
  }

  private static Object addQuotient(Call call, boolean inPlace) {
    boolean integers = !call.tensor(1).dtype().isFloating() && !call.tensor(2).dtype().isFloating();
    if (integers) {
      return Fault.dtype("addcdiv does not divide integers by integers")
          .withExpected("tensor1 of a floating dtype", call.tensor(1).dtype().toString());
    }
    DType computed = Promotion.of(call.tensor(0), call.tensor(1), call.tensor(2)).result();
    Rule rule = Formulas.addQuotient(Scalars.real(call.scalar(3)));
    return Pointwise.apply(
        call, inPlace, "addcdiv", computed, rule, call.tensor(0), call.tensor(1), call.tensor(2));
  }
}
