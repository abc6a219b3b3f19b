package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultCategory;
import dev.staunch.fault.FaultType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why there may be no value: faults that are certain, and events that may or may not have happened,
 * because that depends on timing (C4).
 *
 * @param known the fault if nothing in {@code open} has happened
 * @param certain whether there is a failure whatever has happened, which outranks a cancellation
 */
record Causes(@Nullable Fault known, boolean certain, List<Open> open) {
  /** No fault. */
  static final Causes NONE = new Causes(null, false, List.of());

  private static final Set<FaultType> NAMES_SCOPES =
      EnumSet.of(FaultType.CLOSED, FaultType.OUT_OF_MEMORY, FaultType.DEADLINE_EXCEEDED);

  /** An event that timing decides, and the faults that it may leave. */
  record Open(int event, Set<FaultType> types) {
    Open at(int other) {
      return new Open(other, types);
    }
  }

  /** Which of the events that timing decides are known to have happened, or not, in one run. */
  static final class Events {
    private final List<Boolean> known = new ArrayList<>();

    private @Nullable Boolean get(int event) {
      return event < known.size() ? known.get(event) : null;
    }

    /** A handle that can be closed may be closed only after it was used. */
    private void note(Open open, boolean happened) {
      if (!open.types().contains(FaultType.CLOSED)) {
        set(open.event(), happened);
      }
    }

    private void set(int event, boolean happened) {
      while (known.size() <= event) {
        known.add(null);
      }
      known.set(event, happened);
    }
  }

  static Causes of(@Nullable Fault fault) {
    return fault == null ? NONE : NONE.orElse(fault);
  }

  static Causes open(Open open) {
    return open(List.of(open));
  }

  static Causes open(List<Open> open) {
    return new Causes(null, false, open);
  }

  /** {@code fault}, unless one of these causes kept it from arising. */
  Causes orElse(Fault fault) {
    boolean sure = open.isEmpty() && fault.category() != FaultCategory.CANCELLED;
    return new Causes(fault, sure, open);
  }

  boolean isNone() {
    return known == null && open.isEmpty();
  }

  boolean isOpen() {
    return !open.isEmpty();
  }

  Causes and(Causes other) {
    if (isNone()) {
      return other;
    }
    if (other.isNone()) {
      return this;
    }
    List<Open> all = new ArrayList<>(open);
    other.open.stream().filter(each -> !all.contains(each)).forEach(all::add);
    Fault joined =
        known == null ? other.known : other.known == null ? known : known.merge(other.known);
    return new Causes(joined, certain || other.certain, all);
  }

  /** These causes, unless one of {@code others}, which are all open, came before. */
  Causes or(Causes others) {
    Causes all = and(others);
    return others.isNone() ? this : new Causes(all.known(), false, all.open());
  }

  /** What is wrong about {@code found}, a fault, or null for a value; null if it is possible. */
  @Nullable String wrong(@Nullable Fault found, Events events) {
    List<Open> possible =
        open.stream().filter(each -> !Boolean.FALSE.equals(events.get(each.event()))).toList();
    if (found == null) {
      return value(possible, events);
    }
    if (possible.isEmpty()) {
      return known == null ? "no fault, got " + text(found) : difference(known, found);
    }
    boolean timely = possible.stream().anyMatch(each -> each.types().contains(found.type()));
    if (known == null && timely && possible.size() == 1) {
      events.note(possible.getFirst(), true);
    }
    boolean outranked = certain && found.category() == FaultCategory.CANCELLED;
    if (timely && !outranked) {
      return null;
    }
    boolean own =
        known != null
            && (isLike(known, found)
                || known.suppressed().stream().anyMatch(each -> isLike(each, found)));
    return own ? null : this + ", got " + text(found);
  }

  private @Nullable String value(List<Open> possible, Events events) {
    if (known != null) {
      return text(known) + ", got a value";
    }
    for (Open each : possible) {
      if (Boolean.TRUE.equals(events.get(each.event()))) {
        return "a fault of " + each.types() + " that was there before, got a value";
      }
      events.note(each, false);
    }
    return null;
  }

  private static @Nullable String difference(Fault wanted, Fault found) {
    boolean same = isLike(wanted, found) && suppressed(wanted).equals(suppressed(found));
    return same ? null : text(wanted) + ", got " + text(found);
  }

  /** A cancellation is one fault for everything that it hits, and arrives at any time. */
  private static List<String> suppressed(Fault fault) {
    return fault.suppressed().stream()
        .filter(each -> each.category() != FaultCategory.CANCELLED)
        .map(each -> NAMES_SCOPES.contains(each.type()) ? each.type().word() : each.toString())
        .toList();
  }

  private static boolean isLike(Fault wanted, Fault found) {
    if (wanted.type() != found.type()) {
      return false;
    }
    return NAMES_SCOPES.contains(wanted.type())
        || wanted.category() == FaultCategory.CANCELLED
        || (wanted.message().equals(found.message())
            && String.valueOf(wanted.operation()).equals(String.valueOf(found.operation()))
            && wanted.operands().equals(found.operands()));
  }

  static String text(Fault fault) {
    return fault + " of " + fault.operation() + fault.operands() + " with " + fault.suppressed();
  }

  @Override
  public String toString() {
    return (known == null ? "a value" : text(known)) + (open.isEmpty() ? "" : " or one of " + open);
  }
}
