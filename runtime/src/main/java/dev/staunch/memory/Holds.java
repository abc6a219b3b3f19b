package dev.staunch.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.System.Logger;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may be using what a scope owns at the moment, and what was closed but has to wait for them
 * (M1). Entering and leaving are one atomic operation each. A closed resource waits only for the
 * holders that were present at the time, so nothing waits forever, however busy the scope is.
 * Thread-safe.
 *
 * <p>A holder makes itself visible and then checks whether the resource is closed; a closer closes
 * the resource and then checks which holders are present. One of the two sees the other.
 */
final class Holds {
  private static final VarHandle FIRST =
      fieldVarHandle(MethodHandles.lookup(), "first", VarHandle.class, Holds.class, Seat.class);
  private static final VarHandle TAKEN =
      fieldVarHandle(MethodHandles.lookup(), "taken", VarHandle.class, Seat.class, Hold.class);

  /** A place for successive holders. */
  private static final class Seat extends Hold.Place {
    private final Holds home;
    final @Nullable Seat next;
    volatile @Nullable Hold taken;

    Seat(Holds home, @Nullable Seat next, Hold first) {
      this.home = home;
      this.next = next;
      TAKEN.set(this, first); // no other thread sees this yet
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

  /** As many places as there ever were holders at the same time. */
  private volatile @Nullable Seat first;

  /** How many releases wait; raised before a closer checks for holders. */
  private volatile int waiting;

  private final List<Waiting> queue = new ArrayList<>(0); // guarded by this

  /** What is released once the holders that were present have left. */
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

    /** Whether a holder has not left; another stay of the same holder is a different hold. */
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

  /** Lets {@code hold} in, even if the scope is closed. */
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
    Attempts.ROOM.require(); // without room, the next holder to leave does this
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

  /** Releases {@code what}, which is closed: now, or once all current holders have left. */
  void release(Releasable what) {
    release(what, null);
  }

  /** As {@link #release}, but waits only for holders that use members and may be using this one. */
  void releaseMember(Releasable what) {
    release(what, what);
  }

  private void release(Releasable what, @Nullable Releasable member) {
    if (!isHeld(member) || !postpone(what, hold -> member == null || hold.uses(member))) {
      what.release();
    }
  }

  /**
   * As {@link #release}, for an unreachable member, which waits only for holders that may be using
   * it.
   *
   * @param entry which entry into the scope was the member's
   */
  void releaseUnreachable(Releasable what, long entry) {
    if (!isHeld(null) || !postpone(what, hold -> hold.usesUnreachable(entry))) {
      what.release();
    }
  }

  /** Whether there is any holder; if {@code member} is not null, any that may be using it. */
  boolean isHeld(@Nullable Releasable member) {
    for (Seat each = first; each != null; each = each.next) {
      Hold hold = each.taken;
      if (hold != null && (member == null || hold.uses(member))) {
        return true;
      }
    }
    return false;
  }

  /** False if there are no such holders, or none any more. */
  private synchronized boolean postpone(Releasable what, Predicate<Hold> users) {
    waiting = queue.size() + 1;
    Waiting entry = new Waiting(what);
    for (Seat each = first; each != null; each = each.next) {
      Hold hold = each.taken;
      if (hold != null && users.test(hold)) {
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

  /** The names of the holders that are waited for, each once. */
  synchronized List<String> awaited() {
    Set<String> names = new LinkedHashSet<>();
    for (Waiting each : queue) {
      each.addNames(names);
    }
    return List.copyOf(names);
  }
}
