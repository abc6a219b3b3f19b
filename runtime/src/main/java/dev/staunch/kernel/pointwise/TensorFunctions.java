package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.type.DType;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions of single elements. Computed in double precision and rounded to the dtype. */
public final class TensorFunctions {
  private static final double LOG_2 = Math.log(2);

  private TensorFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    exact(catalog, false, a -> -a, a -> -a, "neg", "negative");
    exact(catalog, false, Math::abs, Math::abs, "abs", "absolute");
    exact(catalog, true, TensorFunctions::sign, Long::signum, "sign", "sgn");
    exact(catalog, false, Math::floor, a -> a, "floor");
    exact(catalog, false, Math::ceil, a -> a, "ceil");
    exact(catalog, false, Math::rint, a -> a, "round");
    exact(catalog, false, TensorDivision::truncate, a -> a, "trunc", "fix");
    exact(catalog, false, a -> a - TensorDivision.truncate(a), null, "frac");
    exponentials(catalog);
    trigonometry(catalog);
    Rule angle = Rule.binary((DoubleBinaryOperator) Math::atan2, null);
    Pointwise.both(
        catalog,
        "atan2",
        "",
        "Tensor other",
        (call, inPlace) -> {
          DType computed = Promotion.of(call.tensor(0), call.tensor(1)).floatingResult();
          return Pointwise.apply(
              call, inPlace, "atan2", computed, angle, call.tensor(0), call.tensor(1));
        });
  }

  private static void exponentials(Catalog.Builder catalog) {
    real(catalog, Math::exp, "exp");
    real(catalog, a -> Math.pow(2, a), "exp2");
    real(catalog, Math::expm1, "expm1");
    real(catalog, Math::log, "log");
    real(catalog, Math::log1p, "log1p");
    real(catalog, a -> Math.log(a) / LOG_2, "log2");
    real(catalog, Math::log10, "log10");
    real(catalog, Math::sqrt, "sqrt");
    real(catalog, a -> 1 / Math.sqrt(a), "rsqrt");
    real(catalog, a -> 1 / a, "reciprocal");
    real(catalog, TensorFunctions::sigmoid, "sigmoid");
    real(catalog, ErrorFunction::erf, "erf");
    real(catalog, ErrorFunction::erfc, "erfc");
  }

  private static void trigonometry(Catalog.Builder catalog) {
    real(catalog, Math::sin, "sin");
    real(catalog, Math::cos, "cos");
    real(catalog, Math::tan, "tan");
    real(catalog, Math::asin, "asin", "arcsin");
    real(catalog, Math::acos, "acos", "arccos");
    real(catalog, Math::atan, "atan", "arctan");
    real(catalog, Math::sinh, "sinh");
    real(catalog, Math::cosh, "cosh");
    real(catalog, Math::tanh, "tanh");
    real(catalog, Math::toRadians, "deg2rad");
    real(catalog, Math::toDegrees, "rad2deg");
  }

  /** {@code 1 / (1 + exp(-a))}. */
  public static double sigmoid(double a) {
    return 1 / (1 + Math.exp(-a));
  }

  private static double sign(double a) {
    return a > 0 ? 1 : a < 0 ? -1 : 0;
  }

  /** A function that keeps the dtype. */
  private static void exact(
      Catalog.Builder catalog,
      boolean takesBools,
      DoubleUnaryOperator reals,
      @Nullable LongUnaryOperator integers,
      String... names) {
    Rule rule = Rule.unary(reals, integers);
    for (String name : names) {
      Pointwise.both(
          catalog,
          name,
          "",
          "",
          (call, inPlace) -> {
            DType dtype = call.tensor(0).dtype();
            return dtype == DType.BOOL && !takesBools
                ? Pointwise.refusal(name, dtype)
                : Pointwise.apply(call, inPlace, name, dtype, rule, call.tensor(0));
          });
    }
  }

  /** A function whose results are reals, whatever it is given. */
  static void real(Catalog.Builder catalog, DoubleUnaryOperator function, String... names) {
    Rule rule = Rule.unary(function, null);
    for (String name : names) {
      Pointwise.both(
          catalog,
          name,
          "",
          "",
          (call, inPlace) -> {
            DType computed = Promotion.of(call.tensor(0)).floatingResult();
            return Pointwise.apply(call, inPlace, name, computed, rule, call.tensor(0));
          });
    }
  }
}
