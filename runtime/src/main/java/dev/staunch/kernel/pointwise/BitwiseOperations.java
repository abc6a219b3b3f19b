package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;

/** Operations on the bits of integers; bools count as one bit. */
final class BitwiseOperations {
  private BitwiseOperations() {}

  static void addTo(Catalog.Builder catalog) {
    group(catalog, "and", Formulas.bitAnd());
    group(catalog, "or", Formulas.bitOr());
    group(catalog, "xor", Formulas.bitXor());
    Pointwise.both(catalog, "bitwise_not", "", "", BitwiseOperations::not);
  }

  private static void group(Catalog.Builder catalog, String name, Rule rule) {
    Pointwise.Choice choice = new Elementwise("bitwise_" + name, rule, SAME);
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Pointwise.both(catalog, "bitwise_" + name, form, form + " other", choice);
      Pointwise.one(
          catalog, Message.of("__%s__.%s(Tensor self, %s other)", name, form, form), choice);
      Pointwise.inPlace(
          catalog, Message.of("__i%s__.%s(Tensor(a!) self, %s other)", name, form, form), choice);
    }
    Pointwise.one(
        catalog, Message.of("bitwise_%s.Scalar_Tensor(Scalar self, Tensor other)", name), choice);
  }

  private static Object not(Operands operands) {
    DType dtype = operands.dtype(0);
    Rule rule = dtype == DType.BOOL ? Formulas.boolNot() : Formulas.bitNot();
    return Combination.of("bitwise_not", dtype, rule, operands.value(0));
  }
}
