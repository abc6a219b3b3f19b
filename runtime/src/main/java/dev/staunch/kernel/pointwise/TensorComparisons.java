package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;

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
    logical(catalog);
    test(catalog, "isnan", Formulas.IS_NAN);
    test(catalog, "isinf", Formulas.IS_INFINITE);
    test(catalog, "isfinite", Formulas.IS_FINITE);
  }

  private static void comparison(Catalog.Builder catalog, Rule rule, String... names) {
    for (String name : names) {
      for (String form : new String[] {"Tensor", "Scalar"}) {
        Pointwise.both(catalog, name, form, form + " other", answer(name, rule));
      }
    }
  }

  private static Pointwise.Body answer(String name, Rule rule) {
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
      return inPlace
          ? Pointwise.write(call, name, DType.BOOL, computed, rule, call.tensor(0), call.value(1))
          : Pointwise.compute(
              call, name, DType.BOOL, computed, rule, call.tensor(0), call.value(1));
    };
  }

  private static void logical(Catalog.Builder catalog) {
    Pointwise.both(
        catalog, "logical_and", "", "Tensor other", answer("logical_and", Formulas.BOTH));
    Pointwise.both(
        catalog, "logical_or", "", "Tensor other", answer("logical_or", Formulas.EITHER));
    Pointwise.both(
        catalog, "logical_xor", "", "Tensor other", answer("logical_xor", Formulas.ONLY_ONE));
    Rule not = Formulas.IS_ZERO;
    Pointwise.both(
        catalog,
        "logical_not",
        "",
        "",
        (call, inPlace) -> {
          DType computed = call.tensor(0).dtype();
          return inPlace
              ? Pointwise.write(call, "logical_not", DType.BOOL, computed, not, call.tensor(0))
              : Pointwise.compute(call, "logical_not", DType.BOOL, computed, not, call.tensor(0));
        });
  }

  private static void test(Catalog.Builder catalog, String name, Rule rule) {
    catalog.one(
        "aten::" + name + "(Tensor self) -> Tensor",
        call ->
            Pointwise.compute(
                call, name, DType.BOOL, call.tensor(0).dtype(), rule, call.tensor(0)));
  }
}
