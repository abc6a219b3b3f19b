package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Positions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Operations of lists of any element type: access, growth, slices. */
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
            return outOfRange();
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
        call -> {
          call.list(0).addAll(List.copyOf(call.list(1)));
          return null;
        });
    catalog.one(
        "aten::add_.t(t[](a!) self, t[] b) -> t[]",
        call -> {
          call.list(0).addAll(List.copyOf(call.list(1)));
          return call.list(0);
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
          if (list.isEmpty()) {
            return Fault.index("pop from empty list");
          }
          int at = Positions.position(call.integer(1), list.size());
          return at < 0 ? outOfRange() : list.remove(at);
        });
    catalog.none(
        "aten::Delete.t(t[](a!) self, int idx) -> ()",
        call -> {
          List<Object> list = call.list(0);
          int at = Positions.position(call.integer(1), list.size());
          if (at < 0) {
            return list.isEmpty() ? Fault.index("pop index out of range") : outOfRange();
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
    Kernel.One copy = call -> new ArrayList<>(call.list(0));
    catalog.one("aten::copy.t(t[](a) self) -> t[]", copy);
    catalog.one("aten::list.t(t[] l) -> t[]", copy);
    catalog.one("aten::Size(int[] sizes) -> int[]", copy);
    catalog.one(
        "aten::add.t(t[] a, t[] b) -> t[]",
        call -> {
          List<Object> joined = new ArrayList<>(call.list(0));
          joined.addAll(call.list(1));
          return joined;
        });
    catalog.none(
        "aten::reverse.t(t[](a!) self) -> ()",
        call -> {
          Collections.reverse(call.list(0));
          return null;
        });
    catalog.one(
        "aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]",
        ListOperations::slice);
  }

  private static void repetition(Catalog.Builder catalog) {
    catalog.one(
        "aten::mul.left_t(t[] l, int n) -> t[]", call -> repeated(call.list(0), call.integer(1)));
    catalog.one(
        "aten::mul.right_(int n, t[] l) -> t[]", call -> repeated(call.list(1), call.integer(0)));
    catalog.one(
        "aten::mul_.t(t[](a!) l, int n) -> t[](a!)",
        call -> {
          Object repeated = repeated(call.list(0), call.integer(1));
          if (repeated instanceof List<?> values) {
            call.list(0).clear();
            call.list(0).addAll(values);
            return call.list(0);
          }
          return repeated;
        });
  }

  private static Object repeated(List<Object> list, long times) {
    if (times > 0 && list.size() > Integer.MAX_VALUE / 8 / times) {
      return Fault.of(
          FaultType.OUT_OF_MEMORY,
          "a list of " + list.size() + " elements cannot be repeated " + times + " times");
    }
    List<Object> repeated = new ArrayList<>();
    for (long i = 0; i < times && !list.isEmpty(); i++) {
      repeated.addAll(list);
    }
    return repeated;
  }

  private static Object get(List<Object> list, long index) {
    int at = Positions.position(index, list.size());
    return at < 0 ? outOfRange() : list.get(at);
  }

  static Fault outOfRange() {
    return Fault.index("list index out of range");
  }

  /** As Python slices: a negative step walks backwards. */
  private static Object slice(Call call) {
    List<Object> list = call.list(0);
    long step = call.integer(3);
    if (step == 0) {
      return Fault.value("slice step cannot be zero");
    }
    long size = list.size();
    long least = step > 0 ? 0 : -1;
    long most = step > 0 ? size : size - 1;
    long at = bound(call.integerOr(1, step > 0 ? 0 : most), call.isNone(1), size, least, most);
    long end = bound(call.integerOr(2, step > 0 ? size : -1), call.isNone(2), size, least, most);
    List<Object> sliced = new ArrayList<>();
    while (step > 0 ? at < end : at > end) {
      sliced.add(list.get((int) at));
      at = Math.clamp(saturated(at, step), -1L, size);
    }
    return sliced;
  }

  private static long bound(long index, boolean absent, long size, long least, long most) {
    return absent ? index : Math.clamp(index < 0 ? index + size : index, least, most);
  }

  private static long saturated(long at, long step) {
    long next = at + step;
    boolean overflow = step > 0 ? next < at : next > at;
    return overflow ? (step > 0 ? Long.MAX_VALUE : Long.MIN_VALUE) : next;
  }
}
