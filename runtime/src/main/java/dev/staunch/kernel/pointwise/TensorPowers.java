package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

/** Powers of tensors. */
final class TensorPowers {
  private TensorPowers() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Tensor", "Scalar"}) {
      catalog.one(
          Message.of("aten::pow.Tensor_%s(Tensor self, %s exponent) -> Tensor", form, form),
          Marking.one(call -> raise(call, false)));
      catalog.one(
          Message.of("aten::pow_.%s(Tensor(a!) self, %s exponent) -> Tensor(a!)", form, form),
          call -> raise(call, true));
    }
    catalog.one(
        "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
        Marking.one(call -> raise(call, false)));
    Pointwise.both(catalog, "square", "", "", TensorPowers::square);
  }

  private static Object raise(Call call, boolean inPlace) {
    Object exponent = call.value(1);
    DType computed = Promotion.of(call.value(0), exponent).result();
    if (exponent instanceof Long power && power < 0 && computed.kind() == DType.Kind.INTEGRAL) {
      return Fault.value(
          "an integer to the power of "
              + power
              + " is none; cast the base with `to(float32)` before");
    }
    if (computed == DType.BOOL) {
      return Pointwise.refusal("pow", computed);
    }
    Rule rule = computed == DType.FLOAT16 ? Formulas.POWER : rule(exponent);
    return Pointwise.apply(call, inPlace, "pow", computed, rule, call.value(0), exponent);
  }

  /** Roots by a number are roots, also where powers differ from them: of -0 and -infinity. */
  private static Rule rule(Object exponent) {
    return exponent instanceof Double power && Math.abs(power) == 0.5
        ? power > 0 ? Formulas.ROOT_POWER : Formulas.INVERSE_ROOT_POWER
        : Formulas.POWER;
  }

  private static Object square(Call call, boolean inPlace) {
    DType computed = Promotion.of(call.tensor(0), 2L).result();
    return Pointwise.apply(call, inPlace, "square", computed, Formulas.SQUARE, call.tensor(0));
  }
}
