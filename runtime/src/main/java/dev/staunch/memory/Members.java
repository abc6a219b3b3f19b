package dev.staunch.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a scope owns: lives, in a doubly linked list, and bytes, as its {@link Account} counts them.
 * Both change under one latch, so a new resource is charged and linked in one step, and leaves in
 * one step. The latch is one compare-and-set to take and one store to release, and is held for a
 * few instructions. A thread that finds it taken spins, and a thread that takes it has checked for
 * stack room. Members also counts events for the metrics where counting is free.
 */
final class Members {
  /** How many resources were created, and how they ended. */
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

  private static final int SPINS = 64;
  private static final VarHandle LOCKED =
      fieldVarHandle(
          MethodHandles.lookup(), "locked", VarHandle.class, Members.class, boolean.class);
  private static final VarHandle SPARE =
      fieldVarHandle(MethodHandles.lookup(), "spare", VarHandle.class, Members.class, long.class);
  private static final VarHandle QUOTA =
      fieldVarHandle(MethodHandles.lookup(), "quota", VarHandle.class, Members.class, long.class);
  private static final VarHandle PEAK =
      fieldVarHandle(MethodHandles.lookup(), "peak", VarHandle.class, Members.class, long.class);

  /**
   * How many milliseconds a scope waits; counted one by one, because all threads may be suspended.
   */
  private static final int MOST_WAIT = 500;

  private final @Nullable Members outer;
  private final Holds holds = new Holds();

  @SuppressWarnings("UnusedVariable") // read through the handle
  private boolean locked;

  /**
   * Bytes taken from the parent, less those given back; the root has its whole budget from the
   * start.
   */
  volatile long quota;

  /** Unused bytes of the quota; changed under the latch. */
  volatile long spare;

  /** The most bytes given out at once. */
  volatile long peak;

  /**
   * The newest life, which is usually the first to leave. It enters the list only when another
   * comes, because linking it with old neighbours costs a fence when the collector is G1.
   */
  private @Nullable Life newest;

  private @Nullable Life first;

  /** How many lives have entered; changed under the latch. A holder may read an earlier number. */
  long entries;

  private volatile boolean closed;
  private long made;
  private long explicit;
  private long byScope;
  private long reaped;

  /** The number of lives that the reaper has ended and is about to release. */
  private volatile int reaping;

  /**
   * @param quota the bytes to begin with, all spare
   * @param outer the members of the enclosing scope, if there is one
   */
  Members(long quota, @Nullable Members outer) {
    this.outer = outer;
    QUOTA.set(this, quota); // no other thread sees this yet
    SPARE.set(this, quota);
  }

  void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      spin();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on this but how soon the latch is free
  private void spin() {
    for (int spins = 1; !LOCKED.compareAndSet(this, false, true); spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // the holder may have been descheduled
      } else {
        Thread.onSpinWait();
      }
    }
  }

  void unlock() {
    LOCKED.setRelease(this, false);
  }

  Holds holds() {
    return holds;
  }

  /**
   * Releases a part that was not closed but may be in use by holders of this scope or of an
   * enclosing one, such as a step of an operation that has a scope of its own: now, or once they
   * have left.
   */
  void releaseAfterAll(Releasable what) {
    if (outer == null) {
      holds.release(what);
    } else {
      holds.release(() -> outer.releaseAfterAll(what));
    }
  }

  /**
   * Releases a part of an unreachable member: now, or once the holders of this scope that may be
   * using it have left, and all those of the enclosing ones.
   *
   * @param entry which entry into this list was the member's
   */
  void releaseUnreachable(Releasable what, long entry) {
    holds.releaseUnreachable(outer == null ? what : () -> outer.releaseAfterAll(what), entry);
  }

  /**
   * Takes {@code bytes} of the spare ones, and links {@code life}, if that is not null; it must be
   * in no list. Returns false, without effect, if there are too few spare bytes, or if the scope is
   * closed and {@code life} is not null.
   *
   * @param isNew whether the life has never been in a list
   */
  boolean enter(long bytes, @Nullable Life life, boolean isNew) {
    if (!LOCKED.compareAndSet(this, false, true)) {
      spin();
    }
    long left = spare - bytes;
    boolean fits = left >= 0;
    if (life != null && fits) {
      fits = !closed;
      if (fits) {
        made += isNew ? 1 : 0;
        Life before = newest;
        if (before != null) {
          Life head = first;
          before.next = head;
          if (head != null) {
            head.previous = before;
          }
          first = before;
        }
        newest = life;
        life.entry = ++entries;
        life.setMembers(this);
      }
    }
    if (fits) {
      SPARE.setRelease(this, left);
    }
    LOCKED.setRelease(this, false);
    if (fits && quota - left > peak) {
      notePeak(quota - left);
    }
    return fits;
  }

  /**
   * Returns {@code bytes} to the spare ones, and unlinks {@code life}, if that is not null; it must
   * have ended. Returns how many bytes are spare now.
   */
  long leave(long bytes, @Nullable Life life) {
    if (!LOCKED.compareAndSet(this, false, true)) {
      spin();
    }
    if (life != null && unlink(life)) {
      explicit++;
    }
    long now = spare + bytes;
    SPARE.setRelease(this, now);
    LOCKED.setRelease(this, false);
    return now;
  }

  /** Removes the spare bytes beyond {@code keep}, also from the quota; returns how many. */
  long cut(long keep) {
    lock();
    long over = Math.max(0, spare - keep);
    SPARE.setRelease(this, spare - over);
    unlock();
    QUOTA.getAndAdd(this, -over);
    return over;
  }

  /** The bytes given out. */
  long granted() {
    return quota - spare;
  }

  void addQuota(long bytes) {
    QUOTA.getAndAdd(this, bytes);
  }

  /** Adds {@code bytes} to the quota unless the quota would exceed {@code most}. */
  boolean raiseQuota(long bytes, long most) {
    while (true) {
      long now = quota;
      if (bytes > most - now) {
        return false;
      }
      if (QUOTA.compareAndSet(this, now, now + bytes)) {
        return true;
      }
    }
  }

  void notePeak(long held) {
    long seen = peak;
    while (held > seen && !PEAK.compareAndSet(this, seen, held)) {
      seen = peak;
    }
  }

  private boolean unlink(Life life) {
    if (life.members != this) {
      return false;
    }
    if (life == newest) {
      newest = null;
      life.setMembers(null);
      return true;
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
    leave(0, life);
  }

  /**
   * Ends a life on behalf of the reaper, which releases it and then calls {@link #endReap}; false
   * if it is over or not a member here.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the latch
  boolean beginReap(Life life) {
    lock();
    try {
      if (life.members != this || !life.markOver() || !unlink(life)) {
        return false;
      }
      reaped++;
      reaping++;
      return true;
    } finally {
      unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the latch
  void endReap() {
    lock();
    reaping--;
    unlock();
    synchronized (this) {
      notifyAll();
    }
  }

  /**
   * Waits until the reaper has released what it took from this list, so that a closed scope's bytes
   * are back. The reaper is quick; if the release of a user's resource delays it, this stops
   * waiting.
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
    Members from = life.members;
    if (from == this || (from == null ? life.over : !from.let(life))) {
      return true; // already there, or its scope closed first and now uses its links
    }
    if (!enter(0, life, false)) {
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
    lock();
    try {
      return unlink(life);
    } finally {
      unlock();
    }
  }

  /** A life created here was handed to a closed scope, and ends in no list. */
  private void noteEndedByScope() {
    lock();
    byScope++;
    unlock();
  }

  /**
   * The end of a scope: its members have ended, and are released once the scope has no holder left.
   * A release that throws does not keep the others from being released.
   */
  static final class Ending implements Releasable {
    private final @Nullable Life first;
    private @Nullable Life next;

    private Ending(@Nullable Life first) {
      this.first = first;
      this.next = first;
    }

    /** How many members the scope had to end; call it before they are released. */
    int count() {
      int count = 0;
      for (Life life = first; life != null; life = life.next) {
        count++;
      }
      return count;
    }

    /** Releases what is left. One attempt for all that succeed is cheaper than one for each. */
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

  /** Closes the list and ends every life in it; what remains is to release their parts. */
  Ending close() {
    lock();
    try {
      closed = true;
      return new Ending(endAll());
    } finally {
      unlock();
    }
  }

  private @Nullable Life endAll() {
    Life chain = null;
    Life life = first;
    if (newest != null) {
      newest.next = first;
      life = newest;
      newest = null;
    }
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
    lock();
    boolean now = first == null && newest == null;
    unlock();
    return now;
  }

  boolean isClosed() {
    return closed;
  }

  Counts counts() {
    lock();
    try {
      return new Counts(made, explicit, byScope, reaped);
    } finally {
      unlock();
    }
  }

  /** The counts so far; counting starts again from zero. */
  Counts takeCounts() {
    lock();
    try {
      Counts taken = new Counts(made, explicit, byScope, reaped);
      made = 0;
      explicit = 0;
      byScope = 0;
      reaped = 0;
      return taken;
    } finally {
      unlock();
    }
  }

  List<Life> snapshot() {
    List<Life> all = new ArrayList<>();
    lock();
    try {
      if (newest != null) {
        all.add(newest);
      }
      for (Life life = first; life != null; life = life.next) {
        all.add(life);
      }
    } finally {
      unlock();
    }
    return all;
  }
}
