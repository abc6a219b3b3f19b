package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.ANSWER;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;

/** Questions about elements, answered with bools. */
final class TensorComparisons {
  private TensorComparisons() {}

  static void addTo(Catalog.Builder catalog) {
    comparison(catalog, Formulas.IS_EQUAL, "eq");
    comparison(catalog, Formulas.IS_UNEQUAL, "ne", "not_equal");
    comparison(catalog, Formulas.IS_LESS, "lt", "less");
    comparison(catalog, Formulas.IS_LESS_EQUAL, "le", "less_equal");
    comparison(catalog, Formulas.IS_GREATER, "gt", "greater");
    comparison(catalog, Formulas.IS_GREATER_EQUAL, "ge", "greater_equal");
    logical(catalog, "logical_and", "Tensor other", Formulas.BOTH);
    logical(catalog, "logical_or", "Tensor other", Formulas.EITHER);
    logical(catalog, "logical_xor", "Tensor other", Formulas.ONLY_ONE);
    logical(catalog, "logical_not", "", Formulas.IS_ZERO);
    test(catalog, "isnan", Formulas.IS_NAN);
    test(catalog, "isinf", Formulas.IS_INFINITE);
    test(catalog, "isfinite", Formulas.IS_FINITE);
    test(catalog, "isposinf", Formulas.isInfinity(Double.POSITIVE_INFINITY));
    test(catalog, "isneginf", Formulas.isInfinity(Double.NEGATIVE_INFINITY));
    test(catalog, "signbit", Formulas.IS_NEGATIVE);
  }

  private static void comparison(Catalog.Builder catalog, Rule rule, String... names) {
    for (String name : names) {
      for (String form : new String[] {"Tensor", "Scalar"}) {
        Pointwise.both(catalog, name, form, form + " other", new Elementwise(name, rule, ANSWER));
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
