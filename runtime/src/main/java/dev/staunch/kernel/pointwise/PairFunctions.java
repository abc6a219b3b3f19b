package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Functions of reals that few models use, of one element or of two. */
final class PairFunctions {
  private PairFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    pairs(catalog);
    singles(catalog);
    for (boolean high : new boolean[] {true, false}) {
      double wanted = high ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      truth(catalog, high ? "isposinf" : "isneginf", Formulas.isInfinity(wanted));
    }
    truth(catalog, "signbit", Formulas.IS_NEGATIVE);
  }

  private static void truth(Catalog.Builder catalog, String name, Rule rule) {
    catalog.one(
        "aten::" + name + "(Tensor self) -> Tensor",
        call -> {
          DenseTensor self = call.tensor(0);
          return Pointwise.compute(call, name, DType.BOOL, self.dtype(), rule, self);
        });
  }

  private static void pairs(Catalog.Builder catalog) {
    Pointwise.both(catalog, "hypot", "", "Tensor other", exact("hypot", Formulas.HYPOT));
    Pointwise.both(
        catalog, "heaviside", "", "Tensor values", exact("heaviside", Formulas.HEAVISIDE));
    catalog.one(
        "aten::logaddexp(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> exact("logaddexp", Formulas.LOG_SUM).run(call, false)));
    catalog.one(
        "aten::logaddexp2(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> exact("logaddexp2", Formulas.LOG_SUM2).run(call, false)));
    Pointwise.Body times = real("xlogy", Formulas.TIMES_LOG);
    Pointwise.Body signed = real("copysign", Formulas.COPY_SIGN);
    for (String form : new String[] {"Tensor", "Scalar_Other"}) {
      String type = form.equals("Tensor") ? "Tensor" : "Scalar";
      Pointwise.both(catalog, "xlogy", form, type + " other", times);
      Pointwise.both(catalog, "copysign", type, type + " other", signed);
    }
    catalog.one(
        "aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
        Marking.one(call -> times.run(call, false)));
    catalog.one(
        "aten::special_xlogy(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> times.run(call, false)));
  }

  private static void singles(Catalog.Builder catalog) {
    TensorFunctions.real(catalog, Formulas.ASINH, "asinh", "arcsinh");
    TensorFunctions.real(catalog, Formulas.ACOSH, "acosh", "arccosh");
    TensorFunctions.real(catalog, Formulas.ATANH, "atanh", "arctanh");
    TensorFunctions.real(catalog, Formulas.SINC, "sinc");
    for (String name :
        new String[] {
          "special_expit",
          "special_exp2",
          "special_expm1",
          "special_log1p",
          "special_erf",
          "special_erfc"
        }) {
      String plain = name.equals("special_expit") ? "sigmoid" : name.substring("special_".length());
      Steps.add(
          catalog,
          "aten::" + name + "(Tensor self) -> Tensor",
          (steps, call) -> steps.run(plain, call.tensor(0)));
    }
  }

  /** Takes operands of one dtype category as they are. */
  private static Pointwise.Body exact(String name, Rule rule) {
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.value(0), call.value(1)).result();
      return Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1));
    };
  }

  /** Takes integers as reals. */
  private static Pointwise.Body real(String name, Rule rule) {
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.value(0), call.value(1)).floatingResult();
      return Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1));
    };
  }
}
