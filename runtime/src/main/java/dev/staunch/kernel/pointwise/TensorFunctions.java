package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.NUMBERS;
import static dev.staunch.kernel.loop.Elementwise.Kind.REAL;
import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;
import static dev.staunch.kernel.loop.Elementwise.functions;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.operation.Trait;

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
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    exponentials(catalog, widened);
    trigonometry(catalog, widened);
    Pointwise.both(
        widened, "atan2", "", "Tensor other", new Elementwise("atan2", Formulas.ATAN2, REAL));
  }

  private static void exponentials(Catalog.Builder catalog, Catalog.Builder widened) {
    functions(widened, REAL, Formulas.EXP, "exp");
    functions(catalog, REAL, Formulas.EXP2, "exp2");
    functions(widened, REAL, Formulas.EXPM1, "expm1");
    functions(widened, REAL, Formulas.LOG, "log");
    functions(widened, REAL, Formulas.LOG1P, "log1p");
    functions(widened, REAL, Formulas.LOG2, "log2");
    functions(widened, REAL, Formulas.LOG10, "log10");
    functions(catalog, REAL, Formulas.SQRT, "sqrt");
    functions(widened, REAL, Formulas.RSQRT, "rsqrt");
    functions(widened, REAL, Formulas.RECIPROCAL, "reciprocal");
    functions(catalog, REAL, Formulas.SIGMOID, "sigmoid");
    functions(catalog, REAL, Formulas.ERF, "erf");
    functions(catalog, REAL, Formulas.ERFC, "erfc");
  }

  private static void trigonometry(Catalog.Builder catalog, Catalog.Builder widened) {
    functions(catalog, REAL, Formulas.SIN, "sin");
    functions(catalog, REAL, Formulas.COS, "cos");
    functions(widened, REAL, Formulas.TAN, "tan");
    functions(widened, REAL, Formulas.ASIN, "asin", "arcsin");
    functions(widened, REAL, Formulas.ACOS, "acos", "arccos");
    functions(catalog, REAL, Formulas.ATAN, "atan", "arctan");
    functions(widened, REAL, Formulas.SINH, "sinh");
    functions(widened, REAL, Formulas.COSH, "cosh");
    functions(catalog, REAL, Formulas.TANH, "tanh");
    functions(catalog, REAL, Formulas.ASINH, "asinh", "arcsinh");
    functions(catalog, REAL, Formulas.ACOSH, "acosh", "arccosh");
    functions(catalog, REAL, Formulas.ATANH, "atanh", "arctanh");
    functions(catalog, REAL, Formulas.SINC, "sinc");
    functions(catalog, REAL, Formulas.RADIANS, "deg2rad");
    functions(catalog, REAL, Formulas.DEGREES, "rad2deg");
  }
}
