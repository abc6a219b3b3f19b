package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.REAL;
import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;

/** Functions of two elements that few models use, and special functions under their long names. */
final class PairFunctions {
  private PairFunctions() {}

  static void addTo(Catalog.Builder catalog) {
    Pointwise.both(
        catalog, "hypot", "", "Tensor other", new Elementwise("hypot", Formulas.hypot(), SAME));
    Pointwise.both(
        catalog,
        "heaviside",
        "",
        "Tensor values",
        new Elementwise("heaviside", Formulas.heaviside(), SAME));
    Pointwise.one(
        catalog,
        "logaddexp(Tensor self, Tensor other)",
        new Elementwise("logaddexp", Formulas.logSum(), SAME));
    Pointwise.one(
        catalog,
        "logaddexp2(Tensor self, Tensor other)",
        new Elementwise("logaddexp2", Formulas.logSum2(), SAME));
    Elementwise times = new Elementwise("xlogy", Formulas.timesLog(), REAL);
    Elementwise signed = new Elementwise("copysign", Formulas.copySign(), REAL);
    for (String form : new String[] {"Tensor", "Scalar_Other"}) {
      String type = form.equals("Tensor") ? "Tensor" : "Scalar";
      Pointwise.both(catalog, "xlogy", form, type + " other", times);
      Pointwise.both(catalog, "copysign", type, type + " other", signed);
    }
    Pointwise.one(catalog, "xlogy.Scalar_Self(Scalar self, Tensor other)", times);
    Pointwise.one(catalog, "special_xlogy(Tensor self, Tensor other)", times);
    for (String plain : new String[] {"exp2", "expm1", "log1p", "erf", "erfc"}) {
      renamed(catalog, "special_" + plain, plain);
    }
    renamed(catalog, "special_expit", "sigmoid");
  }

  private static void renamed(Catalog.Builder catalog, String name, String plain) {
    Composite.add(
        catalog,
        "aten::" + name + "(Tensor self) -> Tensor",
        plain,
        operands -> new Object[] {operands.value(0)});
  }
}
