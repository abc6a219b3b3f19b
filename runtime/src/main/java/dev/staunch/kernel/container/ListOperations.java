package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Positions;
import dev.staunch.kernel.operand.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on lists of any element type: access, growth, slices. */
final class ListOperations {
  private ListOperations() {}

  static void addTo(Catalog.Builder catalog) {
    access(catalog);
    growth(catalog);
    shrinkage(catalog);
    copies(catalog);
    repetition(catalog);
  }

  private static void access(Catalog.Builder catalog) {
    Kernel.One get = call -> get(call.list(0), call.integer(1));
    catalog.one("aten::__getitem__.t(t[](a) list, int idx) -> t(*)", get);
    catalog.one("aten::select.t(t[](a) list, int idx) -> t(*)", get);
    catalog.one(
        "aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)",
        call -> {
          List<Object> list = call.list(0);
          int at = Positions.position(call.integer(1), list.size());
          if (at < 0) {
            return outOfRange(call.integer(1), list);
          }
          list.set(at, call.value(2));
          return list;
        });
    catalog.one("aten::len.t(t[] a) -> int", call -> (long) call.list(0).size());
    catalog.one("aten::len.any(Any[] a) -> int", call -> (long) call.list(0).size());
  }

  private static void growth(Catalog.Builder catalog) {
    catalog.one(
        "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)",
        call -> {
          call.list(0).add(call.value(1));
          return call.list(0);
        });
    catalog.none(
        "aten::extend.t(t[](a!) self, t[] other) -> ()",
        call -> append(new CancellationPoll(call), call.list(0), call.list(1)));
    catalog.one(
        "aten::add_.t(t[](a!) self, t[] b) -> t[]",
        call -> {
          Fault stop = append(new CancellationPoll(call), call.list(0), call.list(1));
          return stop == null ? call.list(0) : stop;
        });
    catalog.none(
        "aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()",
        call -> {
          List<Object> list = call.list(0);
          list.add(Positions.clamped(call.integer(1), list.size()), call.value(2));
          return null;
        });
  }

  private static void shrinkage(Catalog.Builder catalog) {
    catalog.one(
        "aten::pop.t(t[](a!) self, int idx=-1) -> t(*)",
        call -> {
          List<Object> list = call.list(0);
          int at = Positions.position(call.integer(1), list.size());
          return at < 0 ? outOfRange(call.integer(1), list) : list.remove(at);
        });
    catalog.none(
        "aten::Delete.t(t[](a!) self, int idx) -> ()",
        call -> {
          List<Object> list = call.list(0);
          int at = Positions.position(call.integer(1), list.size());
          if (at < 0) {
            return outOfRange(call.integer(1), list);
          }
          list.remove(at);
          return null;
        });
    catalog.none(
        "aten::clear.t(t[](a!) self) -> ()",
        call -> {
          call.list(0).clear();
          return null;
        });
  }

  private static void copies(Catalog.Builder catalog) {
    Kernel.One copy = call -> joined(call, List.of(call.list(0)));
    catalog.one("aten::copy.t(t[](a) self) -> t[]", copy);
    catalog.one("aten::list.t(t[] l) -> t[]", copy);
    catalog.one("aten::Size(int[] sizes) -> int[]", copy);
    catalog.one(
        "aten::add.t(t[] a, t[] b) -> t[]",
        call -> joined(call, List.of(call.list(0), call.list(1))));
    catalog.none("aten::reverse.t(t[](a!) self) -> ()", ListOperations::reverse);
    catalog.one(
        "aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]",
        ListOperations::slice);
  }

  private static void repetition(Catalog.Builder catalog) {
    catalog.one(
        "aten::mul.left_t(t[] l, int n) -> t[]",
        call -> repeated(call, call.list(0), call.integer(1)));
    catalog.one(
        "aten::mul.right_(int n, t[] l) -> t[]",
        call -> repeated(call, call.list(1), call.integer(0)));
    catalog.one(
        "aten::mul_.t(t[](a!) l, int n) -> t[](a!)",
        call -> {
          Object repeated = repeated(call, call.list(0), call.integer(1));
          if (repeated instanceof List<?> values) {
            call.list(0).clear();
            call.list(0).addAll(values);
            return call.list(0);
          }
          return repeated;
        });
  }

  private static Object repeated(Call call, List<Object> list, long times) {
    if (times > 0 && list.size() > Integer.MAX_VALUE / 8 / times) {
      return Fault.of(
          FaultType.OUT_OF_MEMORY,
          Message.of(
              "a list of %s cannot be repeated %s times",
              Message.count(list.size(), "element"), times));
    }
    return joined(
        call, times <= 0 || list.isEmpty() ? List.of() : Collections.nCopies((int) times, list));
  }

  /** All elements of all {@code lists}, or the fault of a cancellation. */
  private static Object joined(Call call, List<List<Object>> lists) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> joined = new ArrayList<>();
    for (List<Object> list : lists) {
      Fault stop = append(poll, joined, list);
      if (stop != null) {
        return stop;
      }
    }
    return joined;
  }

  /**
   * Appends the elements that {@code from} has now; returns the fault of a cancellation, or null.
   */
  private static @Nullable Fault append(
      CancellationPoll poll, List<Object> into, List<Object> from) {
    return poll.inPieces(
        from.size(), (at, count) -> into.addAll(from.subList((int) at, (int) at + count)));
  }

  private static @Nullable Fault reverse(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> list = call.list(0);
    for (int i = 0; i < list.size() / 2 && poll.mayContinue(2); i++) {
      Collections.swap(list, i, list.size() - 1 - i);
    }
    return poll.fault();
  }

  private static Object get(List<Object> list, long index) {
    int at = Positions.position(index, list.size());
    return at < 0 ? outOfRange(index, list) : list.get(at);
  }

  static Fault outOfRange(long index, List<Object> list) {
    return Fault.index(
        Message.of(
            "index %s is out of range for a list of %s",
            index, Message.count(list.size(), "element")));
  }

  private static Object slice(Call call) {
    List<Object> list = call.list(0);
    if (call.integer(3) == 0) {
      return Fault.value("the step of a slice must not be 0");
    }
    List<Object> sliced = new ArrayList<>();
    CancellationPoll poll = new CancellationPoll(call);
    Slice slice = Slice.of(call, list.size());
    for (long i = slice.first(); slice.holds(i) && poll.mayContinue(1); i = slice.next(i)) {
      sliced.add(list.get((int) i));
    }
    return poll.orFault(sliced);
  }
}
