package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.scalar.InverseHyperbolic;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.function.DoubleBinaryOperator;

/** Functions of reals that few models use, of one element or of two. */
public final class PairFunctions {
  private static final double LOG_2 = Math.log(2);

  private PairFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    pairs(catalog);
    singles(catalog);
    for (boolean high : new boolean[] {true, false}) {
      double wanted = high ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      Rule rule = Rule.unary(a -> a == wanted ? 1 : 0, a -> 0);
      truth(catalog, high ? "isposinf" : "isneginf", rule);
    }
    Rule sign = Rule.unary(a -> Double.doubleToRawLongBits(a) < 0 ? 1 : 0, a -> a < 0 ? 1 : 0);
    truth(catalog, "signbit", sign);
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
    Pointwise.both(catalog, "hypot", "", "Tensor other", exact("hypot", Math::hypot));
    Rule step =
        Rule.binary((a, v) -> a == 0 ? v : a > 0 ? 1 : 0, (a, v) -> a == 0 ? v : a < 0 ? 0 : 1);
    Pointwise.both(catalog, "heaviside", "", "Tensor values", exact("heaviside", step));
    catalog.one(
        "aten::logaddexp(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> exact("logaddexp", PairFunctions::logSum).run(call, false)));
    catalog.one(
        "aten::logaddexp2(Tensor self, Tensor other) -> Tensor",
        Marking.one(call ->
            exact("logaddexp2", (a, b) -> logSum(a * LOG_2, b * LOG_2) / LOG_2).run(call, false)));
    Pointwise.Body times = real("xlogy", PairFunctions::timesLog);
    Pointwise.Body signed = real("copysign", Math::copySign);
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
    TensorFunctions.real(catalog, InverseHyperbolic::asinh, "asinh", "arcsinh");
    TensorFunctions.real(catalog, InverseHyperbolic::acosh, "acosh", "arccosh");
    TensorFunctions.real(catalog, InverseHyperbolic::atanh, "atanh", "arctanh");
    TensorFunctions.real(catalog, a -> a == 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a), "sinc");
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
  private static Pointwise.Body exact(String name, DoubleBinaryOperator function) {
    return exact(name, Rule.binary(function, null));
  }

  private static Pointwise.Body exact(String name, Rule rule) {
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.value(0), call.value(1)).result();
      return Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1));
    };
  }

  /** Takes integers as reals. */
  private static Pointwise.Body real(String name, DoubleBinaryOperator function) {
    Rule rule = Rule.binary(function, null);
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.value(0), call.value(1)).floatingResult();
      return Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1));
    };
  }

  /** {@code a log b}, which is 0 where {@code a} is. */
  public static double timesLog(double a, double b) {
    return Double.isNaN(b) ? b : a == 0 ? 0 : a * Math.log(b);
  }

  /** {@code log(exp(a) + exp(b))}. */
  public static double logSum(double a, double b) {
    double most = Math.max(a, b);
    return Double.isInfinite(most) || Double.isNaN(most)
        ? most
        : most + Math.log1p(Math.exp(-Math.abs(a - b)));
  }
}
