package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;
import java.util.function.DoublePredicate;

/** Questions about elements, answered with bools. */
final class TensorComparisons {
  private TensorComparisons() {}

  static void addTo(Catalog.Builder catalog) {
    Rule equal = Rule.binary((a, b) -> a == b ? 1 : 0, (a, b) -> a == b ? 1 : 0);
    Rule unequal = Rule.binary((a, b) -> a != b ? 1 : 0, (a, b) -> a != b ? 1 : 0);
    Rule less = Rule.binary((a, b) -> a < b ? 1 : 0, (a, b) -> a < b ? 1 : 0);
    Rule lessEqual = Rule.binary((a, b) -> a <= b ? 1 : 0, (a, b) -> a <= b ? 1 : 0);
    Rule greater = Rule.binary((a, b) -> a > b ? 1 : 0, (a, b) -> a > b ? 1 : 0);
    Rule greaterEqual = Rule.binary((a, b) -> a >= b ? 1 : 0, (a, b) -> a >= b ? 1 : 0);
    comparison(catalog, equal, "eq");
    comparison(catalog, unequal, "ne", "not_equal");
    comparison(catalog, less, "lt", "less");
    comparison(catalog, lessEqual, "le", "less_equal");
    comparison(catalog, greater, "gt", "greater");
    comparison(catalog, greaterEqual, "ge", "greater_equal");
    logical(catalog);
    test(catalog, "isnan", Double::isNaN, 0);
    test(catalog, "isinf", Double::isInfinite, 0);
    test(catalog, "isfinite", Double::isFinite, 1);
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
    Rule and = Rule.binary((a, b) -> a != 0 && b != 0 ? 1 : 0, (a, b) -> a != 0 && b != 0 ? 1 : 0);
    Rule or = Rule.binary((a, b) -> a != 0 || b != 0 ? 1 : 0, (a, b) -> (a | b) != 0 ? 1 : 0);
    Rule xor =
        Rule.binary((a, b) -> (a != 0) != (b != 0) ? 1 : 0, (a, b) -> (a != 0) != (b != 0) ? 1 : 0);
    Pointwise.both(catalog, "logical_and", "", "Tensor other", answer("logical_and", and));
    Pointwise.both(catalog, "logical_or", "", "Tensor other", answer("logical_or", or));
    Pointwise.both(catalog, "logical_xor", "", "Tensor other", answer("logical_xor", xor));
    Rule not = Rule.unary(a -> a == 0 ? 1 : 0, a -> a == 0 ? 1 : 0);
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

  private static void test(
      Catalog.Builder catalog, String name, DoublePredicate predicate, long ofIntegers) {
    Rule rule = Rule.unary(a -> predicate.test(a) ? 1 : 0, a -> ofIntegers);
    catalog.one(
        "aten::" + name + "(Tensor self) -> Tensor",
        call ->
            Pointwise.compute(
                call, name, DType.BOOL, call.tensor(0).dtype(), rule, call.tensor(0)));
  }
}
