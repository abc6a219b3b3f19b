package dev.staunch.kernel.scalar;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;

/** Comparison of numbers and strings, and identity. */
final class ComparisonOperations {
  private ComparisonOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Overloads.comparison(catalog, "aten::eq", (a, b) -> a == b, (a, b) -> a == b);
    Overloads.comparison(catalog, "aten::ne", (a, b) -> a != b, (a, b) -> a != b);
    Overloads.comparison(catalog, "aten::lt", (a, b) -> a < b, (a, b) -> a < b);
    Overloads.comparison(catalog, "aten::gt", (a, b) -> a > b, (a, b) -> a > b);
    Overloads.comparison(catalog, "aten::le", (a, b) -> a <= b, (a, b) -> a <= b);
    Overloads.comparison(catalog, "aten::ge", (a, b) -> a >= b, (a, b) -> a >= b);
    complexes(catalog);
    others(catalog);
    identity(catalog);
  }

  private static void complexes(Catalog.Builder catalog) {
    Kernel.One equal = call -> same(call.value(0), call.value(1));
    Kernel.One different = call -> !same(call.value(0), call.value(1));
    for (String types :
        new String[] {
          "(Scalar a, Scalar b)",
          ".complex(complex a, complex b)",
          ".complex_float(complex a, float b)",
          ".float_complex(float a, complex b)"
        }) {
      catalog.one("aten::eq" + types + " -> bool", equal);
      catalog.one("aten::ne" + types + " -> bool", different);
    }
  }

  private static boolean same(Object a, Object b) {
    if (Scalars.isIntegral(a) && Scalars.isIntegral(b)) {
      return Scalars.integer(a) == Scalars.integer(b);
    }
    ComplexNumber x = Scalars.complex(a);
    ComplexNumber y = Scalars.complex(b);
    return x.re() == y.re() && x.im() == y.im();
  }

  private static void others(Catalog.Builder catalog) {
    Kernel.One equal = call -> call.value(0).equals(call.value(1));
    Kernel.One different = call -> !call.value(0).equals(call.value(1));
    for (String types :
        new String[] {
          ".bool(bool a, bool b)",
          ".str(str a, str b)",
          ".device(Device a, Device b)",
          ".enum(AnyEnumType a, AnyEnumType b)"
        }) {
      catalog.one("aten::eq" + types + " -> bool", equal);
      catalog.one("aten::ne" + types + " -> bool", different);
    }
    catalog.one("aten::lt.str(str a, str b) -> bool", call -> order(call) < 0);
    catalog.one("aten::gt.str(str a, str b) -> bool", call -> order(call) > 0);
    catalog.one("aten::le.str(str a, str b) -> bool", call -> order(call) <= 0);
    catalog.one("aten::ge.str(str a, str b) -> bool", call -> order(call) >= 0);
  }

  private static int order(Call call) {
    return ByteText.open(call.string(0)).compareTo(ByteText.open(call.string(1)));
  }

  private static void identity(Catalog.Builder catalog) {
    catalog.one(
        "aten::__is__(t1 self, t2 obj) -> bool", call -> identical(call.value(0), call.value(1)));
    catalog.one(
        "aten::__isnot__(t1 self, t2 obj) -> bool",
        call -> !identical(call.value(0), call.value(1)));
  }

  /** Whether both are the same object or, for values without identity, the same value. */
  @SuppressWarnings("ReferenceEquality") // the operation compares identity
  private static boolean identical(Object a, Object b) {
    boolean plain = a instanceof Number || a instanceof Boolean;
    return plain ? a.equals(b) : a == b;
  }
}
