package dev.staunch.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Merges the faults of several inputs. Each fault counts once, and the earliest in program order
 * leads. Failures come before cancellations (C2), because it depends on the schedule whether an
 * input arrived before it could be cancelled. At most {@link Fault#MAX_SUPPRESSED} others follow.
 * Keeping the earliest makes merging associative and commutative, so the outcome does not depend on
 * the schedule (F6); the bound makes the millionth merge as cheap as the first (F12).
 *
 * <p>A failure that a cancellation carries is the sibling that caused the cancellation. It did not
 * reach any input, so it never leads (F2).
 */
final class FaultMerge {
  private static final Comparator<Fault> PROGRAM_ORDER =
      Comparator.comparing(Fault::origin, Comparator.nullsLast(Comparator.naturalOrder()));

  private FaultMerge() {}

  static Fault of(Fault left, Fault right) {
    if (left.isSameAs(right) && right.suppressed().isEmpty()) {
      return left;
    }
    List<Fault> all = new ArrayList<>();
    add(all, left);
    int before = all.size();
    add(all, right);
    if (all.size() == before && all.get(0).isSameAs(left)) {
      return left;
    }
    Fault first = all.removeFirst();
    int room = Fault.MAX_SUPPRESSED - first.suppressed().size();
    return first.withSuppressed(all.stream().limit(Math.max(0, room)).map(Fault::alone).toList());
  }

  /**
   * All of {@code faults} and everything that they carry, as one fault: a wait for everything loses
   * none.
   */
  static Fault all(List<Fault> faults) {
    Set<Reach> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Fault> all = new ArrayList<>();
    for (Fault fault : faults) {
      if (seen.add(fault.reach())) {
        all.add(fault.alone());
      }
    }
    for (Fault fault : faults) {
      for (Fault other : fault.suppressed()) {
        if (seen.add(other.reach())) {
          all.add(other.alone());
        }
      }
    }
    all.sort(PROGRAM_ORDER);
    return all.size() == 1 ? all.get(0) : all.get(0).withSuppressed(all.subList(1, all.size()));
  }

  private static void add(List<Fault> all, Fault fault) {
    if (!isCancelled(fault)) {
      insert(all, fault.alone());
      fault.suppressed().forEach(other -> insert(all, other.alone()));
      return;
    }
    List<Fault> others = fault.suppressed();
    List<Fault> failures = others.stream().filter(other -> !isCancelled(other)).toList();
    insert(all, fault.alone().withSuppressed(failures));
    others.stream().filter(FaultMerge::isCancelled).forEach(other -> insert(all, other.alone()));
  }

  private static boolean isCancelled(Fault fault) {
    return fault.category() == FaultCategory.CANCELLED;
  }

  /** Keeps {@code all} in program order; faults without a place in it stay in order of arrival. */
  private static void insert(List<Fault> all, Fault fault) {
    int at = all.size();
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).isSameAs(fault)) {
        return;
      }
      if (isBefore(fault, all.get(i))) {
        at = i;
      }
    }
    all.add(at, fault);
  }

  private static boolean isBefore(Fault fault, Fault other) {
    if (isCancelled(fault) != isCancelled(other)) {
      return isCancelled(other);
    }
    boolean placed = fault.origin() != null && other.origin() != null;
    return placed && PROGRAM_ORDER.compare(fault, other) < 0;
  }
}
