package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

/** Operations on the bits of integers; bools count as one bit. */
final class BitwiseOperations {
  private BitwiseOperations() {}

  static void addTo(Catalog.Builder catalog) {
    group(catalog, "and", Formulas.BIT_AND);
    group(catalog, "or", Formulas.BIT_OR);
    group(catalog, "xor", Formulas.BIT_XOR);
    Pointwise.both(catalog, "bitwise_not", "", "", BitwiseOperations::not);
  }

  private static void group(Catalog.Builder catalog, String name, Rule rule) {
    Pointwise.Body body =
        (call, inPlace) -> {
          DType computed = Promotion.of(call.value(0), call.value(1)).result();
          return Pointwise.apply(
              call, inPlace, "bitwise_" + name, computed, rule, call.value(0), call.value(1));
        };
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Pointwise.both(catalog, "bitwise_" + name, form, form + " other", body);
      catalog.one(
          Message.of("aten::__%s__.%s(Tensor self, %s other) -> Tensor", name, form, form),
          call -> body.run(call, false));
      catalog.one(
          Message.of("aten::__i%s__.%s(Tensor(a!) self, %s other) -> Tensor(a!)", name, form, form),
          call -> body.run(call, true));
    }
    catalog.one(
        Message.of("aten::bitwise_%s.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", name),
        call -> body.run(call, false));
  }

  private static Object not(Call call, boolean inPlace) {
    DType dtype = call.tensor(0).dtype();
    Rule rule = dtype == DType.BOOL ? Formulas.BOOL_NOT : Formulas.BIT_NOT;
    return Pointwise.apply(call, inPlace, "bitwise_not", dtype, rule, call.tensor(0));
  }
}
