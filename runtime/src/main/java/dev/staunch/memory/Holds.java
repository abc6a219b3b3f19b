package dev.staunch.memory;

import java.lang.System.Logger;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may touch what a scope owns just now, and what was closed but has to wait for them (M1).
 * Coming and leaving is one atomic operation each. What is closed waits for those alone who were
 * there by then, so nothing waits for ever, however busy the scope is. Thread-safe.
 *
 * <p>A holder makes itself seen and then looks whether what it wants is closed; a closer closes and
 * then looks who is there. One of them sees the other.
 */
final class Holds {
  private static final VarHandle FIRST;
  private static final VarHandle TAKEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FIRST = lookup.findVarHandle(Holds.class, "first", Seat.class);
      TAKEN = lookup.findVarHandle(Seat.class, "taken", Hold.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A place for one holder after another. */
  private static final class Seat extends Hold.Place {
    private final Holds home;
    final @Nullable Seat next;
    volatile @Nullable Hold taken;

    Seat(Holds home, @Nullable Seat next, Hold first) {
      this.home = home;
      this.next = next;
      TAKEN.set(this, first); // nobody knows this yet
    }

    boolean take(Hold hold) {
      hold.place = this;
      return taken == null && TAKEN.compareAndSet(this, null, hold);
    }

    @Override
    void left() {
      taken = null;
      if (home.waiting > 0) {
        home.releaseDue();
      }
    }
  }

  /** As many places as there ever were holders at once. */
  private volatile @Nullable Seat first;

  /** How much waits; raised before a closer looks who is there. */
  private volatile int waiting;

  private final List<Waiting> queue = new ArrayList<>(0); // guarded by this

  /** What is released when the holders that were there have left. */
  private static final class Waiting {
    final Releasable what;
    private final List<Seat> seats = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();

    Waiting(Releasable what) {
      this.what = what;
    }

    void add(Seat seat, Hold hold) {
      seats.add(seat);
      holds.add(hold);
    }

    boolean isOver() {
      for (int i = 0; i < holds.size(); i++) {
        if (isThere(i)) {
          return false;
        }
      }
      return true;
    }

    /** Whether a holder has not left; another stay of the same one is another hold. */
    private boolean isThere(int i) {
      return holds.get(i).equals(seats.get(i).taken);
    }

    void addNames(Set<String> names) {
      for (int i = 0; i < holds.size(); i++) {
        if (isThere(i)) {
          names.add(holds.get(i).name());
        }
      }
    }
  }

  /** Lets {@code hold} in, closed as the scope may be. */
  void begin(Hold hold) {
    for (Seat each = first; each != null; each = each.next) {
      if (each.take(hold)) {
        return;
      }
    }
    push(hold);
  }

  private void push(Hold hold) {
    while (true) {
      Seat seen = first;
      Seat fresh = new Seat(this, seen, hold);
      hold.place = fresh;
      if (FIRST.compareAndSet(this, seen, fresh)) {
        return;
      }
    }
  }

  private void releaseDue() {
    Attempts.ROOM.require(); // without it, whoever leaves next does this
    for (Waiting each : takeDue()) {
      Throwable failure = Attempts.thrownBy(each.what::release);
      if (failure != null) {
        Attempts.thrownBy(() -> complain(failure));
      }
    }
  }

  private synchronized List<Waiting> takeDue() {
    List<Waiting> due = new ArrayList<>(queue.size());
    for (Iterator<Waiting> all = queue.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      if (each.isOver()) {
        due.add(each);
        all.remove();
      }
    }
    waiting = queue.size();
    return due;
  }

  private static void complain(Throwable failure) {
    System.getLogger(Holds.class.getName())
        .log(Logger.Level.WARNING, "releasing a closed resource failed", failure);
  }

  /** Releases {@code what}, which is closed: now, or when all that hold the scope now have left. */
  void release(Releasable what) {
    release(what, null);
  }

  /** As {@link #release}, waiting only for those who use members, and may be using this one. */
  void releaseMember(Releasable what) {
    release(what, what);
  }

  private void release(Releasable what, @Nullable Releasable member) {
    if (!isHeld(member) || !postpone(what, member)) {
      what.release();
    }
  }

  /** Whether anybody is here, or, of those who may be using {@code member}, if that is not null. */
  boolean isHeld(@Nullable Releasable member) {
    for (Seat each = first; each != null; each = each.next) {
      Hold hold = each.taken;
      if (hold != null && (member == null || hold.uses(member))) {
        return true;
      }
    }
    return false;
  }

  /** False if those who were there have left meanwhile. */
  private synchronized boolean postpone(Releasable what, @Nullable Releasable member) {
    waiting = queue.size() + 1;
    Waiting entry = new Waiting(what);
    for (Seat each = first; each != null; each = each.next) {
      Hold hold = each.taken;
      if (hold != null && (member == null || hold.uses(member))) {
        entry.add(each, hold);
      }
    }
    boolean isOver = entry.isOver();
    if (!isOver) {
      queue.add(entry);
    }
    waiting = queue.size();
    return !isOver;
  }

  /** Who is waited for, by name; each name once. */
  synchronized List<String> awaited() {
    Set<String> names = new LinkedHashSet<>();
    for (Waiting each : queue) {
      each.addNames(names);
    }
    return List.copyOf(names);
  }
}
