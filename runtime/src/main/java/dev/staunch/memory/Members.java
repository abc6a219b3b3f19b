package dev.staunch.memory;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lives that a scope has to end: a doubly linked list under one lock, held for a few
 * instructions. It counts what it saw for the metrics, where counting costs nothing.
 */
final class Members {
  /** How many resources came and how they went. */
  record Counts(long made, long explicit, long byScope, long reaped) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          made + other.made,
          explicit + other.explicit,
          byScope + other.byScope,
          reaped + other.reaped);
    }
  }

  /** How many milliseconds a scope waits; counted one by one, for all threads may stand still. */
  private static final int MOST_WAIT = 500;

  private final @Nullable Members outer;
  private final Holds holds = new Holds();
  private @Nullable Life first;
  private volatile boolean closed;
  private long made;
  private long explicit;
  private long byScope;
  private long reaped;

  /** Lives that the reaper has ended and is about to release. */
  private int reaping;

  /**
   * @param outer those of the scope around, if there is one
   */
  Members(@Nullable Members outer) {
    this.outer = outer;
  }

  Holds holds() {
    return holds;
  }

  /**
   * Releases what nobody closed, but what can be used by those who hold this scope or one around
   * it, such as a step of an operation that has a scope of its own: now, or when they have left.
   */
  void releaseAfterAll(Releasable what) {
    if (outer == null) {
      holds.release(what);
    } else {
      holds.release(() -> outer.releaseAfterAll(what));
    }
  }

  /**
   * Links a life that is in no list; false if the scope is closed.
   *
   * @param isNew whether it was in none before
   */
  synchronized boolean link(Life life, boolean isNew) {
    if (closed) {
      return false;
    }
    if (isNew) {
      made++;
    }
    Life head = first;
    life.previous = null;
    life.next = head;
    if (head != null) {
      head.previous = life;
    }
    first = life;
    life.setMembers(this);
    return true;
  }

  private boolean unlink(Life life) {
    if (life.members() != this) {
      return false;
    }
    Life before = life.previous;
    Life after = life.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    life.previous = null;
    life.next = null;
    life.setMembers(null);
    return true;
  }

  /** Unlinks a life that ended. */
  synchronized void remove(Life life) {
    if (unlink(life)) {
      explicit++;
    }
  }

  /**
   * Ends a life for the reaper, who releases it and then calls {@link #endReap}; false if it is
   * over or no member here.
   */
  synchronized boolean beginReap(Life life) {
    if (life.members() != this || !life.markOver() || !unlink(life)) {
      return false;
    }
    reaped++;
    reaping++;
    return true;
  }

  synchronized void endReap() {
    reaping--;
    notifyAll();
  }

  /**
   * Waits until the reaper has released what it took from this list, so that a closed scope's bytes
   * are back. The reaper is quick; should a resource of somebody's own keep it, the wait ends.
   */
  synchronized void awaitReaper() {
    boolean interrupted = false;
    for (int i = 0; i < MOST_WAIT && reaping > 0; i++) {
      try {
        wait(1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Moves a life from its list to this one; false if this list is closed. A life that ends on the
   * way stays in no list. One mover at a time: the caller holds the life's lock.
   */
  boolean adopt(Life life) {
    Members from = life.members();
    if (from == this || (from == null ? life.over : !from.let(life))) {
      return true; // there already, or its scope closed first and now uses its links
    }
    if (!link(life, false)) {
      if (from != null) {
        from.noteEndedByScope();
      }
      return false;
    }
    VarHandle.fullFence();
    if (life.over) { // closed between the two lists, when its closer found it in none
      remove(life);
    }
    return true;
  }

  private synchronized boolean let(Life life) {
    return unlink(life);
  }

  /** A life that was made here was handed to a closed scope, and ends in no list. */
  private synchronized void noteEndedByScope() {
    byScope++;
  }

  /**
   * The end of a scope: its members have ended; they are released when nobody holds the scope any
   * more. One whose release throws keeps none of the others.
   */
  static final class Ending implements Releasable {
    private final @Nullable Life first;
    private @Nullable Life next;

    private Ending(@Nullable Life first) {
      this.first = first;
      this.next = first;
    }

    /** How many members the scope had to end; before they are released. */
    int count() {
      int count = 0;
      for (Life life = first; life != null; life = life.next) {
        count++;
      }
      return count;
    }

    /** Releases what is left. One attempt for all that end well is cheaper than one for each. */
    @Override
    public void release() {
      if (next == null) {
        return;
      }
      Attempts failures = new Attempts();
      while (next != null) {
        failures.attempt(this::releaseRest);
      }
      failures.throwIfAny();
    }

    private void releaseRest() {
      for (Life life = next; life != null; life = next) {
        next = life.next;
        life.next = null;
        life.part().release();
      }
    }
  }

  /** Closes the list and ends every life in it; what is left to do is to release their parts. */
  synchronized Ending close() {
    closed = true;
    Life chain = null;
    Life life = first;
    while (life != null) {
      Life after = life.next;
      boolean ended = life.markOver(); // before it is in no list, or a mover would take it for new
      life.previous = null;
      life.next = null;
      life.setMembers(null);
      if (ended) {
        byScope++;
        life.markEndedByScope();
        life.next = chain;
        chain = life;
      }
      life = after;
    }
    first = null;
    return new Ending(chain);
  }

  synchronized boolean isEmpty() {
    return first == null;
  }

  boolean isClosed() {
    return closed;
  }

  synchronized Counts counts() {
    return new Counts(made, explicit, byScope, reaped);
  }

  /** The counts so far, which begin anew. */
  synchronized Counts takeCounts() {
    Counts taken = counts();
    made = 0;
    explicit = 0;
    byScope = 0;
    reaped = 0;
    return taken;
  }

  synchronized List<Life> snapshot() {
    List<Life> all = new ArrayList<>();
    for (Life life = first; life != null; life = life.next) {
      all.add(life);
    }
    return all;
  }
}
