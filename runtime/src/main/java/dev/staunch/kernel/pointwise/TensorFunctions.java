package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.NUMBERS;
import static dev.staunch.kernel.loop.Elementwise.Kind.REAL;
import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;
import static dev.staunch.kernel.loop.Elementwise.functions;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;

/** Functions of single elements. Computed in double precision and rounded to the dtype. */
final class TensorFunctions {
  private TensorFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    functions(catalog, NUMBERS, Formulas.NEG, "neg", "negative");
    functions(catalog, NUMBERS, Formulas.ABS, "abs", "absolute");
    functions(catalog, SAME, Formulas.SIGN, "sign", "sgn");
    functions(catalog, NUMBERS, Formulas.FLOOR, "floor");
    functions(catalog, NUMBERS, Formulas.CEIL, "ceil");
    functions(catalog, NUMBERS, Formulas.ROUND, "round");
    functions(catalog, NUMBERS, Formulas.TRUNC, "trunc", "fix");
    functions(catalog, NUMBERS, Formulas.FRAC, "frac");
    exponentials(catalog);
    trigonometry(catalog);
    Pointwise.both(
        catalog, "atan2", "", "Tensor other", new Elementwise("atan2", Formulas.ATAN2, REAL));
  }

  private static void exponentials(Catalog.Builder catalog) {
    functions(catalog, REAL, Formulas.EXP, "exp");
    functions(catalog, REAL, Formulas.EXP2, "exp2");
    functions(catalog, REAL, Formulas.EXPM1, "expm1");
    functions(catalog, REAL, Formulas.LOG, "log");
    functions(catalog, REAL, Formulas.LOG1P, "log1p");
    functions(catalog, REAL, Formulas.LOG2, "log2");
    functions(catalog, REAL, Formulas.LOG10, "log10");
    functions(catalog, REAL, Formulas.SQRT, "sqrt");
    functions(catalog, REAL, Formulas.RSQRT, "rsqrt");
    functions(catalog, REAL, Formulas.RECIPROCAL, "reciprocal");
    functions(catalog, REAL, Formulas.SIGMOID, "sigmoid");
    functions(catalog, REAL, Formulas.ERF, "erf");
    functions(catalog, REAL, Formulas.ERFC, "erfc");
  }

  private static void trigonometry(Catalog.Builder catalog) {
    functions(catalog, REAL, Formulas.SIN, "sin");
    functions(catalog, REAL, Formulas.COS, "cos");
    functions(catalog, REAL, Formulas.TAN, "tan");
    functions(catalog, REAL, Formulas.ASIN, "asin", "arcsin");
    functions(catalog, REAL, Formulas.ACOS, "acos", "arccos");
    functions(catalog, REAL, Formulas.ATAN, "atan", "arctan");
    functions(catalog, REAL, Formulas.SINH, "sinh");
    functions(catalog, REAL, Formulas.COSH, "cosh");
    functions(catalog, REAL, Formulas.TANH, "tanh");
    functions(catalog, REAL, Formulas.ASINH, "asinh", "arcsinh");
    functions(catalog, REAL, Formulas.ACOSH, "acosh", "arccosh");
    functions(catalog, REAL, Formulas.ATANH, "atanh", "arctanh");
    functions(catalog, REAL, Formulas.SINC, "sinc");
    functions(catalog, REAL, Formulas.RADIANS, "deg2rad");
    functions(catalog, REAL, Formulas.DEGREES, "rad2deg");
  }
}
