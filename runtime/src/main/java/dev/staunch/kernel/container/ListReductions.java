package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.ComplexMath;
import java.util.List;
import java.util.function.BinaryOperator;

/** Operations that reduce a list to one value: min, max, sum, any, all. */
final class ListReductions {
  private ListReductions() {}

  static void addTo(Catalog.Builder catalog) {
    for (String type : List.of("int", "float", "bool")) {
      extremes(catalog, type, "min", -1);
      extremes(catalog, type, "max", 1);
      catalog.one(
          Message.of("aten::all.%s(%s[] self) -> bool", type, type), call -> find(call, false));
      catalog.one(
          Message.of("aten::any.%s(%s[] self) -> bool", type, type), call -> find(call, true));
    }
    catalog.one("aten::any.str(str[] self) -> bool", call -> find(call, true));
    sums(catalog);
  }

  /** {@code wanted} if any element has that truth value, else its opposite. */
  private static Object find(Call call, boolean wanted) {
    CancellationPoll poll = new CancellationPoll(call);
    for (Object value : call.list(0)) {
      if (!poll.mayContinue(1)) {
        break;
      }
      if (isTrue(value) == wanted) {
        return wanted;
      }
    }
    return poll.orFault(!wanted);
  }

  private static boolean isTrue(Object value) {
    return value instanceof String text ? !text.isEmpty() : Scalars.real(value) != 0;
  }

  private static void extremes(Catalog.Builder catalog, String type, String name, int sign) {
    catalog.one(
        Message.of("prim::%s.self_%s(%s[] self) -> %s", name, type, type, type),
        call -> extreme(call, name, sign));
    catalog.one(
        Message.of("prim::%s.%s_list(%s[] l, %s[] r) -> %s[]", name, type, type, type, type),
        call -> {
          List<Object> left = call.list(0);
          List<Object> right = call.list(1);
          CancellationPoll poll = new CancellationPoll(call);
          boolean other = sign < 0 ? precedes(poll, right, left) : precedes(poll, left, right);
          return poll.orFault(other ? right : left);
        });
  }

  private static Object extreme(Call call, String name, int sign) {
    List<Object> list = call.list(0);
    if (list.isEmpty()) {
      return Fault.value(name + " finds no element in an empty list");
    }
    CancellationPoll poll = new CancellationPoll(call);
    Object best = list.getFirst();
    for (Object value : list) {
      if (!poll.mayContinue(1)) {
        break;
      }
      boolean better = sign < 0 ? less(value, best) : less(best, value);
      best = better ? value : best;
    }
    return poll.orFault(best);
  }

  /** Less in the sense of {@code <}; false for NaN. */
  private static boolean less(Object a, Object b) {
    return a instanceof Double x ? x < (Double) b : ValueOrder.ASCENDING.compare(a, b) < 0;
  }

  private static boolean precedes(CancellationPoll poll, List<Object> a, List<Object> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()) && poll.mayContinue(1); i++) {
      if (!ListSearches.same(poll, a.get(i), b.get(i))) {
        return less(a.get(i), b.get(i));
      }
    }
    return a.size() < b.size();
  }

  private static void sums(Catalog.Builder catalog) {
    Kernel.One integers =
        call -> folded(call, 0L, (sum, value) -> (Long) sum + Scalars.integer(value));
    catalog.one("aten::sum.int(int[] self) -> int", integers);
    catalog.one("aten::sum.bool(bool[] self) -> int", integers);
    catalog.one(
        "aten::sum.float(float[] self) -> float",
        call -> folded(call, 0.0, (sum, value) -> (Double) sum + Scalars.real(value)));
    catalog.one(
        "aten::sum.complex(complex[] self) -> complex",
        call ->
            folded(
                call,
                new ComplexNumber(0, 0),
                (sum, value) -> ComplexMath.add((ComplexNumber) sum, Scalars.complex(value))));
  }

  /** The elements combined one after the other; or the fault of a cancellation. */
  private static Object folded(Call call, Object start, BinaryOperator<Object> step) {
    CancellationPoll poll = new CancellationPoll(call);
    Object sum = start;
    for (Object value : call.list(0)) {
      if (!poll.mayContinue(1)) {
        break;
      }
      sum = step.apply(sum, value);
    }
    return poll.orFault(sum);
  }
}
