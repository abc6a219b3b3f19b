package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.ByteText;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.kernel.text.ValuePrinter;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Operations that compare the elements of lists: searching, equality, order. */
final class ListSearches {
  private ListSearches() {}

  private static final List<String> TYPES = List.of("int", "float", "bool", "str");

  static void addTo(Catalog.Builder catalog) {
    for (String type : TYPES) {
      searches(catalog, type, type);
      sorts(catalog, type);
      equality(catalog, type + "[] a, " + type + "[] b", type + "_list");
    }
    searches(catalog, "Tensor", "Tensor");
    equality(catalog, "Tensor[] a, Tensor[] b", "Tensor_list");
    for (String type : List.of("int", "float", "str")) {
      catalog.one(
          "aten::__contains__.%s_list(%s[] l, %s item) -> bool".formatted(type, type, type),
          call -> find(call.list(0), call.value(1)) >= 0);
    }
  }

  private static void searches(Catalog.Builder catalog, String type, String overload) {
    catalog.one(
        "aten::index.list_%s(%s[] self, %s el) -> int".formatted(overload, type, type),
        call -> {
          int at = find(call.list(0), call.value(1));
          return at < 0 ? absent(call) : (Object) (long) at;
        });
    catalog.one(
        "aten::count.%s(%s[] self, %s el) -> int".formatted(overload, type, type),
        call -> call.list(0).stream().filter(el -> same(el, call.value(1))).count());
    catalog.none(
        "aten::remove.%s(%s[](a!) self, %s el) -> ()".formatted(overload, type, type),
        call -> {
          int at = find(call.list(0), call.value(1));
          if (at < 0) {
            return absent(call);
          }
          call.list(0).remove(at);
          return null;
        });
  }

  private static Fault absent(Call call) {
    String text = "the value '%s' is not in a list of %d elements";
    return Fault.value(text.formatted(ValuePrinter.brief(call.value(1)), call.list(0).size()));
  }

  private static int find(List<Object> list, Object wanted) {
    for (int i = 0; i < list.size(); i++) {
      if (same(list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }

  /** Equality as Python's {@code ==}: NaN differs from itself, tensors compare by content. */
  static boolean same(Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x.doubleValue() == y.doubleValue();
    }
    if (a instanceof DenseTensor x && b instanceof DenseTensor y) {
      return equal(x, y);
    }
    return a.equals(b);
  }

  private static boolean equal(DenseTensor a, DenseTensor b) {
    if (!a.shape().equals(b.shape())) {
      return false;
    }
    Places left = Places.of(a.layout());
    Places right = Places.of(b.layout());
    for (long i = 0; i < a.elements(); i++) {
      Object x = CastOperations.element(a, left.at(i));
      Object y = CastOperations.element(b, right.at(i));
      boolean integral = Scalars.isIntegral(x) && Scalars.isIntegral(y);
      ComplexNumber p = Scalars.complex(x);
      ComplexNumber q = Scalars.complex(y);
      if (integral
          ? Scalars.integer(x) != Scalars.integer(y)
          : p.re() != q.re() || p.im() != q.im()) {
        return false;
      }
    }
    return true;
  }

  private static void equality(Catalog.Builder catalog, String parameters, String overload) {
    catalog.one(
        "aten::eq." + overload + "(" + parameters + ") -> bool",
        call -> equal(call.list(0), call.list(1)));
    catalog.one(
        "aten::ne." + overload + "(" + parameters + ") -> bool",
        call -> !equal(call.list(0), call.list(1)));
  }

  private static boolean equal(List<Object> a, List<Object> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static void sorts(Catalog.Builder catalog, String type) {
    catalog.none(
        "aten::sort.%s(%s[](a!) self, bool reverse=False) -> ()".formatted(type, type),
        call -> {
          Comparator<Object> order = ListSearches::compare;
          call.list(0).sort(call.bool(1) ? order.reversed() : order);
          return null;
        });
    catalog.one(
        "aten::sorted.%s(%s[](a) input) -> %s[]".formatted(type, type, type),
        call -> {
          List<Object> sorted = new ArrayList<>(call.list(0));
          sorted.sort(ListSearches::compare);
          return sorted;
        });
  }

  /** The order of two ints, floats, bools or strings. */
  static int compare(Object a, Object b) {
    return switch (a) {
      case Long x -> Long.compare(x, (Long) b);
      case Double x -> Double.compare(x, (Double) b);
      case Boolean x -> Boolean.compare(x, (Boolean) b);
      default -> ByteText.open((String) a).compareTo(ByteText.open((String) b));
    };
  }
}
