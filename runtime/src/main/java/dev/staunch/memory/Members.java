package dev.staunch.memory;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lives that a scope has to end: a doubly linked list under one latch, that of the account's
 * {@link Ledger}, so that what is made is charged and linked in one go, and leaves so. It counts
 * what it saw for the metrics, where counting costs nothing.
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

  private final Latch latch;
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
  Members(Latch latch, @Nullable Members outer) {
    this.latch = latch;
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
  boolean link(Life life, boolean isNew) {
    latch.lock();
    try {
      if (closed) {
        return false;
      }
      if (isNew) {
        made++;
      }
      put(life);
      return true;
    } finally {
      latch.unlock();
    }
  }

  /** With the latch held: takes in a life that is new, unless the scope is closed; then false. */
  boolean admit(Life life) {
    if (closed) {
      return false;
    }
    made++;
    put(life);
    return true;
  }

  private void put(Life life) {
    Life head = first;
    life.previous = null;
    life.next = head;
    if (head != null) {
      head.previous = life;
    }
    first = life;
    life.setMembers(this);
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
  void remove(Life life) {
    latch.lock();
    try {
      dismiss(life);
    } finally {
      latch.unlock();
    }
  }

  /** With the latch held: as {@link #remove}. */
  void dismiss(Life life) {
    if (unlink(life)) {
      explicit++;
    }
  }

  /**
   * Ends a life for the reaper, who releases it and then calls {@link #endReap}; false if it is
   * over or no member here.
   */
  boolean beginReap(Life life) {
    latch.lock();
    try {
      if (life.members() != this || !life.markOver() || !unlink(life)) {
        return false;
      }
      reaped++;
      reaping++;
      return true;
    } finally {
      latch.unlock();
    }
  }

  void endReap() {
    latch.lock();
    reaping--;
    latch.unlock();
    synchronized (this) {
      notifyAll();
    }
  }

  private boolean isReaping() {
    latch.lock();
    boolean now = reaping > 0;
    latch.unlock();
    return now;
  }

  /**
   * Waits until the reaper has released what it took from this list, so that a closed scope's bytes
   * are back. The reaper is quick; should a resource of somebody's own keep it, the wait ends.
   */
  synchronized void awaitReaper() {
    boolean interrupted = false;
    for (int i = 0; i < MOST_WAIT && isReaping(); i++) {
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

  private boolean let(Life life) {
    latch.lock();
    try {
      return unlink(life);
    } finally {
      latch.unlock();
    }
  }

  /** A life that was made here was handed to a closed scope, and ends in no list. */
  private void noteEndedByScope() {
    latch.lock();
    byScope++;
    latch.unlock();
  }

  /** Closes the list and ends every life in it; what is left to do is to release their parts. */
  Ending close() {
    latch.lock();
    try {
      closed = true;
      return new Ending(endAll());
    } finally {
      latch.unlock();
    }
  }

  private @Nullable Life endAll() {
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
    return chain;
  }

  boolean isEmpty() {
    latch.lock();
    boolean now = first == null;
    latch.unlock();
    return now;
  }

  boolean isClosed() {
    return closed;
  }

  Counts counts() {
    latch.lock();
    try {
      return new Counts(made, explicit, byScope, reaped);
    } finally {
      latch.unlock();
    }
  }

  /** The counts so far, which begin anew. */
  Counts takeCounts() {
    latch.lock();
    try {
      Counts taken = new Counts(made, explicit, byScope, reaped);
      made = 0;
      explicit = 0;
      byScope = 0;
      reaped = 0;
      return taken;
    } finally {
      latch.unlock();
    }
  }

  List<Life> snapshot() {
    List<Life> all = new ArrayList<>();
    latch.lock();
    try {
      for (Life life = first; life != null; life = life.next) {
        all.add(life);
      }
    } finally {
      latch.unlock();
    }
    return all;
  }
}
