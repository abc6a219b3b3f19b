package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

/** Functions of single elements. Computed in double precision and rounded to the dtype. */
final class TensorFunctions {
  private TensorFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    exact(catalog, false, Formulas.NEG, "neg", "negative");
    exact(catalog, false, Formulas.ABS, "abs", "absolute");
    exact(catalog, true, Formulas.SIGN, "sign", "sgn");
    exact(catalog, false, Formulas.FLOOR, "floor");
    exact(catalog, false, Formulas.CEIL, "ceil");
    exact(catalog, false, Formulas.ROUND, "round");
    exact(catalog, false, Formulas.TRUNC, "trunc", "fix");
    exact(catalog, false, Formulas.FRAC, "frac");
    exponentials(catalog);
    trigonometry(catalog);
    Pointwise.both(
        catalog,
        "atan2",
        "",
        "Tensor other",
        (call, inPlace) -> {
          DType computed = Promotion.of(call.tensor(0), call.tensor(1)).floatingResult();
          return Pointwise.apply(
              call, inPlace, "atan2", computed, Formulas.ATAN2, call.tensor(0), call.tensor(1));
        });
  }

  private static void exponentials(Catalog.Builder catalog) {
    real(catalog, Formulas.EXP, "exp");
    real(catalog, Formulas.EXP2, "exp2");
    real(catalog, Formulas.EXPM1, "expm1");
    real(catalog, Formulas.LOG, "log");
    real(catalog, Formulas.LOG1P, "log1p");
    real(catalog, Formulas.LOG2, "log2");
    real(catalog, Formulas.LOG10, "log10");
    real(catalog, Formulas.SQRT, "sqrt");
    real(catalog, Formulas.RSQRT, "rsqrt");
    real(catalog, Formulas.RECIPROCAL, "reciprocal");
    real(catalog, Formulas.SIGMOID, "sigmoid");
    real(catalog, Formulas.ERF, "erf");
    real(catalog, Formulas.ERFC, "erfc");
  }

  private static void trigonometry(Catalog.Builder catalog) {
    real(catalog, Formulas.SIN, "sin");
    real(catalog, Formulas.COS, "cos");
    real(catalog, Formulas.TAN, "tan");
    real(catalog, Formulas.ASIN, "asin", "arcsin");
    real(catalog, Formulas.ACOS, "acos", "arccos");
    real(catalog, Formulas.ATAN, "atan", "arctan");
    real(catalog, Formulas.SINH, "sinh");
    real(catalog, Formulas.COSH, "cosh");
    real(catalog, Formulas.TANH, "tanh");
    real(catalog, Formulas.RADIANS, "deg2rad");
    real(catalog, Formulas.DEGREES, "rad2deg");
  }

  /** A function that keeps the dtype. */
  private static void exact(
      Catalog.Builder catalog, boolean takesBools, Rule rule, String... names) {
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
  static void real(Catalog.Builder catalog, Rule rule, String... names) {
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
