package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a scope owns: lives, in a doubly linked list, and bytes, as its {@link Account} counts them.
 * Both change under one latch, so that what is made is charged and linked in one go, and leaves so:
 * a compare-and-set to take, a store to let go, held for a few instructions; who finds it taken
 * spins, and who takes it has asked for room on the stack. It counts what it saw for the metrics,
 * where counting costs nothing.
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

  private static final int SPINS = 64;
  private static final VarHandle LOCKED;
  private static final VarHandle SPARE;
  private static final VarHandle QUOTA;
  private static final VarHandle PEAK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCKED = lookup.findVarHandle(Members.class, "locked", boolean.class);
      SPARE = lookup.findVarHandle(Members.class, "spare", long.class);
      QUOTA = lookup.findVarHandle(Members.class, "quota", long.class);
      PEAK = lookup.findVarHandle(Members.class, "peak", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many milliseconds a scope waits; counted one by one, for all threads may stand still. */
  private static final int MOST_WAIT = 500;

  private final @Nullable Members outer;
  private final Holds holds = new Holds();

  @SuppressWarnings("UnusedVariable") // read through the handle
  private boolean locked;

  /** Bytes taken from the parent, less those given back; the root has its budget from the start. */
  volatile long quota;

  /** Bytes of the quota that nobody uses; changed under the latch. */
  volatile long spare;

  /** The most bytes that were given out. */
  volatile long peak;

  /**
   * The one that came last, which most often leaves first, and is in the list only when another
   * comes: to link it with neighbours that are old costs a fence where the collector is G1.
   */
  private @Nullable Life newest;

  private @Nullable Life first;
  private volatile boolean closed;
  private long made;
  private long explicit;
  private long byScope;
  private long reaped;

  /** Lives that the reaper has ended and is about to release. */
  private volatile int reaping;

  /**
   * @param quota bytes to begin with, all to spare
   * @param outer those of the scope around, if there is one
   */
  Members(long quota, @Nullable Members outer) {
    this.outer = outer;
    QUOTA.set(this, quota); // nobody knows this yet
    SPARE.set(this, quota);
  }

  void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      spin();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but how soon the latch is free
  private void spin() {
    for (int spins = 1; !LOCKED.compareAndSet(this, false, true); spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // its holder may have lost its processor
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
   * Takes {@code bytes} of what is to spare, and links {@code life}, if that is not null, which is
   * in no list; false, and neither has happened, if there are not so many, or the scope is closed
   * to a life.
   *
   * @param isNew whether the life was in no list before
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
   * Has {@code bytes} more to spare, and unlinks {@code life}, if that is not null, which has
   * ended; how many there are to spare now.
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

  /** Takes what is to spare beyond {@code keep} out of it, and of the quota; how much that was. */
  long cut(long keep) {
    lock();
    long over = Math.max(0, spare - keep);
    SPARE.setRelease(this, spare - over);
    unlock();
    QUOTA.getAndAdd(this, -over);
    return over;
  }

  /** Bytes given out. */
  long granted() {
    return quota - spare;
  }

  void addQuota(long bytes) {
    QUOTA.getAndAdd(this, bytes);
  }

  /** Adds {@code bytes} to the quota unless that would be more than {@code most}. */
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
   * Ends a life for the reaper, who releases it and then calls {@link #endReap}; false if it is
   * over or no member here.
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
    Members from = life.members;
    if (from == this || (from == null ? life.over : !from.let(life))) {
      return true; // there already, or its scope closed first and now uses its links
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

  /** A life that was made here was handed to a closed scope, and ends in no list. */
  private void noteEndedByScope() {
    lock();
    byScope++;
    unlock();
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

  /** The counts so far, which begin anew. */
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
