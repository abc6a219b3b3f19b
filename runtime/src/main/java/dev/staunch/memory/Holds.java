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
final class Holds extends Hold.Home {
  private static final VarHandle FIRST;
  private static final VarHandle USERS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      FIRST = lookup.findVarHandle(Holds.class, "first", Hold.class);
      USERS = lookup.findVarHandle(Holds.class, "users", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** As many places as there ever were holders at once. */
  private volatile @Nullable Hold first;

  /** How many of them use members. */
  private volatile int users;

  /** How much waits; raised before a closer looks who is there. */
  private volatile int waiting;

  private final List<Waiting> queue = new ArrayList<>(0); // guarded by this

  /** What is released when the holders that were there have left. */
  private static final class Waiting {
    final Releasable what;
    final List<Hold> places = new ArrayList<>();
    private final List<Long> holdings = new ArrayList<>();

    Waiting(Releasable what) {
      this.what = what;
    }

    void add(Hold place, long holding) {
      places.add(place);
      holdings.add(holding);
    }

    boolean isOver() {
      for (int i = 0; i < places.size(); i++) {
        if (isHeld(i)) {
          return false;
        }
      }
      return true;
    }

    boolean isHeld(int i) {
      return places.get(i).isStill(holdings.get(i));
    }
  }

  /** Makes {@code who} a holder, closed as the scope may be. */
  Hold begin(Holder who, boolean asUser) {
    if (asUser) {
      USERS.getAndAdd(this, 1);
    }
    for (Hold each = first; each != null; each = each.next) {
      if (each.take(who, asUser)) {
        return each;
      }
    }
    return push(who, asUser);
  }

  private Hold push(Holder who, boolean asUser) {
    while (true) {
      Hold seen = first;
      Hold fresh = new Hold(this, seen, who, asUser);
      if (FIRST.compareAndSet(this, seen, fresh)) {
        return fresh;
      }
    }
  }

  @Override
  void ended(boolean asUser) {
    if (asUser) {
      USERS.getAndAdd(this, -1);
    }
    if (waiting > 0) {
      releaseDue();
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
    if (!isHeld(false) || !postpone(what, false)) {
      what.release();
    }
  }

  /** As {@link #release}, waiting only for those who use members. */
  void releaseMember(Releasable what) {
    if (users == 0 || !postpone(what, true)) {
      what.release();
    }
  }

  /** Whether there are any who use members. */
  boolean hasUsers() {
    return users > 0;
  }

  private boolean isHeld(boolean byUsers) {
    for (Hold each = first; each != null; each = each.next) {
      if (each.holding(byUsers) != 0) {
        return true;
      }
    }
    return false;
  }

  /** False if those who were there have left meanwhile. */
  private synchronized boolean postpone(Releasable what, boolean forUsers) {
    waiting = queue.size() + 1;
    Waiting entry = new Waiting(what);
    for (Hold each = first; each != null; each = each.next) {
      long holding = each.holding(forUsers);
      if (holding != 0) {
        entry.add(each, holding);
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
      for (int i = 0; i < each.places.size(); i++) {
        if (each.isHeld(i)) {
          names.add(each.places.get(i).name());
        }
      }
    }
    return List.copyOf(names);
  }
}
