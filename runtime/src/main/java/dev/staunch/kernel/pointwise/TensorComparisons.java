package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.ANSWER;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;

/** Comparisons and tests of elements, whose results are bools. */
final class TensorComparisons {
  private TensorComparisons() {}

  static void addTo(Catalog.Builder catalog) {
    comparison(catalog, Formulas.isEqual(), "eq");
    comparison(catalog, Formulas.isUnequal(), "ne", "not_equal");
    comparison(catalog, Formulas.isLess(), "lt", "less");
    comparison(catalog, Formulas.isLessEqual(), "le", "less_equal");
    comparison(catalog, Formulas.isGreater(), "gt", "greater");
    comparison(catalog, Formulas.isGreaterEqual(), "ge", "greater_equal");
    logical(catalog, "logical_and", "Tensor other", Formulas.both());
    logical(catalog, "logical_or", "Tensor other", Formulas.either());
    logical(catalog, "logical_xor", "Tensor other", Formulas.onlyOne());
    logical(catalog, "logical_not", "", Formulas.isZero());
    test(catalog, "isnan", Formulas.isNan());
    test(catalog, "isinf", Formulas.isInfinite());
    test(catalog, "isfinite", Formulas.isFinite());
    test(catalog, "isposinf", Formulas.isInfinity(Double.POSITIVE_INFINITY));
    test(catalog, "isneginf", Formulas.isInfinity(Double.NEGATIVE_INFINITY));
    test(catalog, "signbit", Formulas.isNegative());
  }

  private static void comparison(Catalog.Builder catalog, Rule rule, String... names) {
    for (String name : names) {
      for (String form : new String[] {"Tensor", "Scalar"}) {
        Catalog.Builder stored = catalog.out(form + "_out");
        Pointwise.both(stored, name, form, form + " other", new Elementwise(name, rule, ANSWER));
      }
    }
  }

  private static void logical(Catalog.Builder catalog, String name, String rest, Rule rule) {
    Pointwise.both(catalog, name, "", rest, new Elementwise(name, rule, ANSWER));
  }

  private static void test(Catalog.Builder catalog, String name, Rule rule) {
    Pointwise.one(catalog, name + "(Tensor self)", new Elementwise(name, rule, ANSWER));
  }
}
