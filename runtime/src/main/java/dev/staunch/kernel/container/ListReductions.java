package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.ComplexMath;
import java.util.List;

/** Operations that make one value of a list: min, max, sum, any, all. */
final class ListReductions {
  private ListReductions() {}

  static void addTo(Catalog.Builder catalog) {
    for (String type : List.of("int", "float", "bool")) {
      extremes(catalog, type, "min", -1);
      extremes(catalog, type, "max", 1);
      catalog.one(
          "aten::all.%s(%s[] self) -> bool".formatted(type, type),
          call -> call.list(0).stream().allMatch(ListReductions::isTrue));
      catalog.one(
          "aten::any.%s(%s[] self) -> bool".formatted(type, type),
          call -> call.list(0).stream().anyMatch(ListReductions::isTrue));
    }
    catalog.one(
        "aten::any.str(str[] self) -> bool",
        call -> call.list(0).stream().anyMatch(ListReductions::isTrue));
    sums(catalog);
  }

  private static boolean isTrue(Object value) {
    return value instanceof String text ? !text.isEmpty() : Scalars.real(value) != 0;
  }

  private static void extremes(Catalog.Builder catalog, String type, String name, int sign) {
    catalog.one(
        "prim::%s.self_%s(%s[] self) -> %s".formatted(name, type, type, type),
        call -> extreme(call.list(0), name, sign));
    catalog.one(
        "prim::%s.%s_list(%s[] l, %s[] r) -> %s[]".formatted(name, type, type, type, type),
        call -> {
          List<Object> left = call.list(0);
          List<Object> right = call.list(1);
          boolean other = sign < 0 ? precedes(right, left) : precedes(left, right);
          return other ? right : left;
        });
  }

  private static Object extreme(List<Object> list, String name, int sign) {
    if (list.isEmpty()) {
      return Fault.value(name + " finds no element in an empty list");
    }
    Object best = list.getFirst();
    for (Object value : list) {
      boolean better = sign < 0 ? less(value, best) : less(best, value);
      best = better ? value : best;
    }
    return best;
  }

  /** Less in the sense of {@code <}, false for NaN. */
  private static boolean less(Object a, Object b) {
    return a instanceof Double x ? x < (Double) b : ListSearches.compare(a, b) < 0;
  }

  private static boolean precedes(List<Object> a, List<Object> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (!ListSearches.same(a.get(i), b.get(i))) {
        return less(a.get(i), b.get(i));
      }
    }
    return a.size() < b.size();
  }

  private static void sums(Catalog.Builder catalog) {
    Kernel.One integers = call -> call.list(0).stream().mapToLong(Scalars::integer).sum();
    catalog.one("aten::sum.int(int[] self) -> int", integers);
    catalog.one("aten::sum.bool(bool[] self) -> int", integers);
    catalog.one(
        "aten::sum.float(float[] self) -> float",
        call -> {
          double sum = 0;
          for (Object value : call.list(0)) {
            sum += Scalars.real(value);
          }
          return sum;
        });
    catalog.one(
        "aten::sum.complex(complex[] self) -> complex",
        call ->
            call.list(0).stream()
                .map(Scalars::complex)
                .reduce(new ComplexNumber(0, 0), ComplexMath::add));
  }
}
