package dev.staunch.kernel.container;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;

/** Sorts a list in runs and merges them, stably; polls for cancellation on the way (C3). */
final class ListSort {
  private static final int RUN = 1 << 12;

  /** The approximate number of elements that cost as much as one comparison of boxed values. */
  private static final int COST = 4;

  private ListSort() {}

  /** The first argument's elements in order, as a new list; or the fault of a cancellation. */
  static Object sorted(Call call, Comparator<Object> order) {
    CancellationPoll poll = new CancellationPoll(call);
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
