package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

/**
 * Shifts of the bits of integers. A count that is negative or not less than the width gives 0 to
 * the left, the sign to the right.
 */
final class ShiftOperations {
  private ShiftOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean left : new boolean[] {true, false}) {
      String word = left ? "lshift" : "rshift";
      for (String form : new String[] {"Scalar", "Tensor"}) {
        catalog.one(
            Message.of("aten::__%s__.%s(Tensor self, %s other) -> Tensor", word, form, form),
            Marking.one(call -> shifted(call, false, left)));
        catalog.one(
            Message.of(
                "aten::__i%s__.%s(Tensor(a!) self, %s other) -> Tensor(a!)", word, form, form),
            call -> shifted(call, true, left));
      }
      String name = left ? "bitwise_left_shift" : "bitwise_right_shift";
      Pointwise.Body body = (call, inPlace) -> shifted(call, inPlace, left);
      Pointwise.both(catalog, name, "Tensor", "Tensor other", body);
      Pointwise.both(catalog, name, "Tensor_Scalar", "Scalar other", body);
      catalog.one(
          "aten::" + name + ".Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
          call -> body.run(call, false));
    }
  }

  private static Object shifted(Call call, boolean inPlace, boolean left) {
    DType computed = Promotion.of(call.value(0), call.value(1)).result();
    String name = left ? "lshift" : "rshift";
    if (computed == DType.BOOL) {
      return Pointwise.refusal(name, computed);
    }
    int bits = 8 * computed.bytes();
    Rule rule = left ? Formulas.shiftLeft(bits) : Formulas.shiftRight(bits);
    return Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1));
  }
}
