package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.kernel.text.ValuePrinter;
import dev.staunch.tensor.DenseTensor;
import java.util.List;

/** Operations that compare the elements of lists: search and equality. */
final class ListSearches {
  private ListSearches() {}

  private static final List<String> TYPES = List.of("int", "float", "bool", "str");

  static void addTo(Catalog.Builder catalog) {
    for (String type : TYPES) {
      searches(catalog, type, type);
      equality(catalog, type + "[] a, " + type + "[] b", type + "_list");
    }
    searches(catalog, "Tensor", "Tensor");
    equality(catalog, "Tensor[] a, Tensor[] b", "Tensor_list");
    for (String type : List.of("int", "float", "str")) {
      catalog.one(
          Message.of("aten::__contains__.%s_list(%s[] l, %s item) -> bool", type, type, type),
          call -> {
            CancellationPoll poll = new CancellationPoll(call);
            int at = find(poll, call.list(0), call.value(1));
            return poll.orFault(at >= 0);
          });
    }
  }

  private static void searches(Catalog.Builder catalog, String type, String overload) {
    catalog.one(
        Message.of("aten::index.list_%s(%s[] self, %s el) -> int", overload, type, type),
        call -> {
          CancellationPoll poll = new CancellationPoll(call);
          int at = find(poll, call.list(0), call.value(1));
          return poll.orFault(at < 0 ? absent(call) : (Object) (long) at);
        });
    catalog.one(
        Message.of("aten::count.%s(%s[] self, %s el) -> int", overload, type, type),
        ListSearches::count);
    catalog.none(
        Message.of("aten::remove.%s(%s[](a!) self, %s el) -> ()", overload, type, type),
        call -> {
          CancellationPoll poll = new CancellationPoll(call);
          int at = find(poll, call.list(0), call.value(1));
          if (poll.fault() != null) {
            return poll.fault();
          }
          if (at < 0) {
            return absent(call);
          }
          call.list(0).remove(at);
          return null;
        });
  }

  private static Fault absent(Call call) {
    String text = "the value '%s' is not in a list of %s";
    return Fault.value(
        Message.of(
            text,
            ValuePrinter.brief(call.value(1)),
            Message.count(call.list(0).size(), "element")));
  }

  private static Object count(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    long count = 0;
    for (Object element : call.list(0)) {
      if (!poll.mayContinue(1)) {
        break;
      }
      count += same(poll, element, call.value(1)) ? 1 : 0;
    }
    return poll.orFault(count);
  }

  /** The index of the first {@code wanted}; -1 if there is none, or after a cancellation. */
  private static int find(CancellationPoll poll, List<Object> list, Object wanted) {
    for (int i = 0; i < list.size() && poll.mayContinue(1); i++) {
      if (same(poll, list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Equality like Python's {@code ==}: NaN differs from itself, tensors compare by content. False
   * after a cancellation.
   */
  static boolean same(CancellationPoll poll, Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x.doubleValue() == y.doubleValue();
    }
    if (a instanceof DenseTensor x && b instanceof DenseTensor y) {
      return equal(poll, x, y);
    }
    return a.equals(b);
  }

  private static boolean equal(CancellationPoll poll, DenseTensor a, DenseTensor b) {
    if (!a.shape().equals(b.shape())) {
      return false;
    }
    Places left = Places.of(a.layout());
    Places right = Places.of(b.layout());
    for (long i = 0; i < a.elements() && poll.mayContinue(1); i++) {
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
    return poll.fault() == null;
  }

  private static void equality(Catalog.Builder catalog, String parameters, String overload) {
    catalog.one(
        "aten::eq." + overload + "(" + parameters + ") -> bool", call -> compared(call, true));
    catalog.one(
        "aten::ne." + overload + "(" + parameters + ") -> bool", call -> compared(call, false));
  }

  /** Whether the equality of two lists is {@code wanted}; or the fault of a cancellation. */
  private static Object compared(Call call, boolean wanted) {
    CancellationPoll poll = new CancellationPoll(call);
    boolean equal = equal(poll, call.list(0), call.list(1));
    return poll.orFault(equal == wanted);
  }

  private static boolean equal(CancellationPoll poll, List<Object> a, List<Object> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size() && poll.mayContinue(1); i++) {
      if (!same(poll, a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }
}
