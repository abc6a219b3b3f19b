package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Powers of tensors. */
final class TensorPowers {
  private TensorPowers() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Pointwise.one(
          widened.out("Tensor_" + form + "_out"),
          Message.of("pow.Tensor_%s(Tensor self, %s exponent)", form, form),
          TensorPowers::raise);
      Pointwise.inPlace(
          catalog,
          Message.of("pow_.%s(Tensor(a!) self, %s exponent)", form, form),
          TensorPowers::raise);
    }
    Pointwise.Choice power = TensorPowers::raise;
    Pointwise.one(widened, "pow.Scalar(Scalar self, Tensor exponent)", power.inRowMajorOrder());
    Pointwise.both(catalog, "square", "", "", TensorPowers::square);
  }

  private static Object raise(Operands operands) {
    Object exponent = operands.value(1);
    DType computed = Promotion.of(operands.value(0), exponent).result();
    if (exponent instanceof Long power && power < 0 && computed.kind() == DType.Kind.INTEGRAL) {
      return Fault.value(
          "an integer to the power of "
              + power
              + " is none; cast the base with `to(float32)` before");
    }
    if (computed == DType.BOOL) {
      return Pointwise.refusal("pow", computed);
    }
    Rule rule = ofOne(exponent, computed);
    if (rule != null) {
      return Combination.of("pow", computed, rule, operands.value(0));
    }
    rule = computed == DType.FLOAT16 ? Formulas.power() : rule(exponent);
    return Combination.of("pow", computed, rule, operands.value(0), exponent);
  }

  /** A formula of the base alone for some exponents, as in libtorch; else null. */
  private static @Nullable Rule ofOne(Object exponent, DType computed) {
    double power = exponent instanceof Number number ? number.doubleValue() : 0;
    if (power == 2) {
      return Formulas.square();
    }
    if (power == 3) {
      return Formulas.cube();
    }
    return power == -1 && computed.isFloating() ? Formulas.reciprocal() : null;
  }

  /**
   * Computes the powers 0.5 and -0.5 as roots, also at -0 and -infinity, where roots differ from
   * powers.
   */
  private static Rule rule(Object exponent) {
    return exponent instanceof Double power && Math.abs(power) == 0.5
        ? power > 0 ? Formulas.rootPower() : Formulas.inverseRootPower()
        : Formulas.power();
  }

  private static Object square(Operands operands) {
    DType computed = Promotion.of(operands.value(0), 2L).result();
    return Combination.of("square", computed, Formulas.square(), operands.value(0));
  }
}
