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

/** Functions of single elements, computed in double precision and rounded to the dtype. */
final class TensorFunctions {
  private TensorFunctions() {}

  static void signs(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    functions(stored, NUMBERS, Formulas.neg(), "neg", "negative");
    functions(stored, NUMBERS, Formulas.abs(), "abs", "absolute");
    functions(stored, SAME, Formulas.sign(), "sign", "sgn");
    functions(stored, NUMBERS, Formulas.floor(), "floor");
    functions(stored, NUMBERS, Formulas.ceil(), "ceil");
    functions(stored, NUMBERS, Formulas.round(), "round");
    functions(catalog, NUMBERS, Formulas.trunc(), "trunc", "fix");
    functions(catalog, NUMBERS, Formulas.frac(), "frac");
  }

  /** Adds the functions that neural networks use. */
  static void sigmoids(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    functions(stored, REAL, Formulas.sigmoid(), "sigmoid");
    functions(stored, REAL, Formulas.tanh(), "tanh");
  }

  static void exponentials(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Catalog.Builder both = widened.out("out");
    functions(both, REAL, Formulas.exp(), "exp");
    functions(catalog, REAL, Formulas.exp2(), "exp2");
    functions(widened, REAL, Formulas.expm1(), "expm1");
    functions(both, REAL, Formulas.log(), "log");
    functions(both, REAL, Formulas.log1p(), "log1p");
    functions(both, REAL, Formulas.log2(), "log2");
    functions(widened, REAL, Formulas.log10(), "log10");
    functions(stored, REAL, Formulas.sqrt(), "sqrt");
    functions(both, REAL, Formulas.rsqrt(), "rsqrt");
    functions(both, REAL, Formulas.reciprocal(), "reciprocal");
    functions(stored, REAL, Formulas.erf(), "erf");
    functions(catalog, REAL, Formulas.erfc(), "erfc");
  }

  static void trigonometry(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    functions(stored, REAL, Formulas.sin(), "sin");
    functions(stored, REAL, Formulas.cos(), "cos");
    functions(widened, REAL, Formulas.tan(), "tan");
    functions(widened, REAL, Formulas.asin(), "asin", "arcsin");
    functions(widened, REAL, Formulas.acos(), "acos", "arccos");
    functions(catalog, REAL, Formulas.atan(), "atan", "arctan");
    functions(widened, REAL, Formulas.sinh(), "sinh");
    functions(widened, REAL, Formulas.cosh(), "cosh");
    functions(catalog, REAL, Formulas.asinh(), "asinh", "arcsinh");
    functions(catalog, REAL, Formulas.acosh(), "acosh", "arccosh");
    functions(catalog, REAL, Formulas.atanh(), "atanh", "arctanh");
    functions(catalog, REAL, Formulas.sinc(), "sinc");
    functions(catalog, REAL, Formulas.radians(), "deg2rad");
    functions(catalog, REAL, Formulas.degrees(), "rad2deg");
    Pointwise.both(
        widened, "atan2", "", "Tensor other", new Elementwise("atan2", Formulas.atan2(), REAL));
  }
}
