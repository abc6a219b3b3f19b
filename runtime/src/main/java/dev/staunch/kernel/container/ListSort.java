package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.operation.Trait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * The sorts of lists: a list is sorted in runs that are merged, stably; with polls for cancellation
 * on the way (C3).
 */
final class ListSort {
  private static final int RUN = 1 << 12;

  /** The approximate number of elements that cost as much as one comparison of boxed values. */
  private static final int COST = 4;

  private ListSort() {}

  static void addTo(Catalog.Builder catalog) {
    for (String type : List.of("int", "float", "bool", "str")) {
      inPlace(catalog, type, type);
      copied(catalog, type, type + "[](a) input) -> " + type + "[]");
    }
    inPlace(catalog, "Tensor", "Tensor");
    Catalog.Builder ofAny = catalog.with(Trait.ORDERS_OBJECTS);
    inPlace(ofAny, "any", "t");
    copied(ofAny, "any", "t[](a) self) -> t[]");
  }

  private static void inPlace(Catalog.Builder catalog, String overload, String type) {
    catalog.none(
        Message.of("aten::sort.%s(%s[](a!) self, bool reverse=False) -> ()", overload, type),
        call -> {
          Comparator<Object> order = ValueOrder.ASCENDING;
          Object sorted = sorted(call, call.bool(1) ? order.reversed() : order);
          if (!(sorted instanceof List<?> values)) {
            return (Fault) sorted;
          }
          Iterator<?> next = values.iterator();
          call.list(0).replaceAll(old -> next.next());
          return null;
        });
  }

  private static void copied(Catalog.Builder catalog, String overload, String signature) {
    catalog.one(
        Message.of("aten::sorted.%s(%s", overload, signature),
        call -> sorted(call, ValueOrder.ASCENDING));
  }

  /** The first argument's elements in order, as a new list; or why there is none. */
  private static Object sorted(Call call, Comparator<Object> order) {
    CancellationPoll poll = new CancellationPoll(call);
    Fault fault = ValueOrder.unordered(poll, call.list(0));
    if (fault != null) {
      return fault;
    }
    Object[] from = call.list(0).toArray();
    for (int at = 0; at < from.length && poll.mayContinue((long) COST * RUN); at += RUN) {
      Arrays.sort(from, at, Math.min(from.length, at + RUN), order);
    }
    Object[] into = new Object[from.length];
    for (long width = RUN; width < from.length && poll.fault() == null; width *= 2) {
      for (long at = 0; at < from.length; at += 2 * width) {
        merge(poll, from, into, order, (int) at, width);
      }
      Object[] merged = into;
      into = from;
      from = merged;
    }
    return poll.orFault(new ArrayList<>(Arrays.asList(from)));
  }

  /** Merges the runs of {@code width} elements at {@code start} and after it. */
  private static void merge(
      CancellationPoll poll,
      Object[] from,
      Object[] into,
      Comparator<Object> order,
      int start,
      long width) {
    int middle = (int) Math.min(from.length, start + width);
    int end = (int) Math.min(from.length, start + 2 * width);
    int left = start;
    int right = middle;
    for (int at = start; at < end && poll.mayContinue(COST); at++) {
      boolean first =
          left < middle && (right == end || order.compare(from[left], from[right]) <= 0);
      into[at] = first ? from[left++] : from[right++];
    }
  }
}
