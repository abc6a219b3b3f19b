package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;

/**
 * Shifts of the bits of integers. If a count is negative or not less than the width, a left shift
 * gives 0 and a right shift gives the sign, which is 0 for unsigned integers.
 */
final class ShiftOperations {
  private ShiftOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean left : new boolean[] {true, false}) {
      Pointwise.Choice choice = operands -> shifted(operands, left);
      String word = left ? "lshift" : "rshift";
      for (String form : new String[] {"Scalar", "Tensor"}) {
        Pointwise.one(
            catalog, Message.of("__%s__.%s(Tensor self, %s other)", word, form, form), choice);
        Pointwise.inPlace(
            catalog, Message.of("__i%s__.%s(Tensor(a!) self, %s other)", word, form, form), choice);
      }
      String name = left ? "bitwise_left_shift" : "bitwise_right_shift";
      Pointwise.both(catalog, name, "Tensor", "Tensor other", choice);
      Pointwise.both(catalog, name, "Tensor_Scalar", "Scalar other", choice);
      Pointwise.one(catalog, name + ".Scalar_Tensor(Scalar self, Tensor other)", choice);
    }
  }

  private static Object shifted(Operands operands, boolean left) {
    DType computed = Promotion.of(operands.value(0), operands.value(1)).result();
    String name = left ? "lshift" : "rshift";
    if (computed == DType.BOOL) {
      return Pointwise.refusal(name, computed);
    }
    int bits = 8 * computed.bytes();
    int signed = computed == DType.UINT8 ? bits + 1 : bits;
    Rule rule = left ? Formulas.shiftLeft(bits) : Formulas.shiftRight(signed);
    return Combination.of(name, computed, rule, operands.value(0), operands.value(1));
  }
}
