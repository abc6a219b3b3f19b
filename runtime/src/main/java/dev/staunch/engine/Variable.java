package dev.staunch.engine;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import dev.staunch.fault.Fault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Orders the tasks that read and write one thing. Reads of one version run in parallel, a write
 * waits for the earlier reads and writes, and turns come in the order of pushing. A variable holds
 * no data, only its queue of turns, the number of writes, and the {@link Fault} of the last write,
 * if it failed.
 *
 * <p>Tasks of several engines may use one variable. A cycle of waits inside tasks of different
 * engines is the one kind that is not detected: give such waits a deadline.
 *
 * <p>Thread-safe. A lock of one word guards a few fields for a few instructions; no call or wait
 * happens while it is held.
 */
public final class Variable {
  /** The {@link #stamp} of a variable that no task has written or asked to write. */
  public static final long UNWRITTEN = 0;

  private static final int SPINS = 64;
  private static final AtomicLong IDS = new AtomicLong();
  private static final VarHandle LOCK =
      fieldVarHandle(MethodHandles.lookup(), "lock", VarHandle.class, Variable.class, int.class);
  private static final VarHandle ID =
      fieldVarHandle(MethodHandles.lookup(), "id", VarHandle.class, Variable.class, long.class);
  private static final VarHandle FAULT =
      fieldVarHandle(MethodHandles.lookup(), "fault", VarHandle.class, Variable.class, Fault.class);
  private static final VarHandle VERSION =
      fieldVarHandle(
          MethodHandles.lookup(), "version", VarHandle.class, Variable.class, long.class);
  private static final VarHandle WRITES =
      fieldVarHandle(MethodHandles.lookup(), "writes", VarHandle.class, Variable.class, long.class);

  private static final long WRITTEN = -1;
  private static final long ASKED = 1L << Integer.SIZE;

  private final @Nullable String name;

  @SuppressWarnings("UnusedVariable") // read through its VarHandle
  private volatile int lock;

  private volatile long id;
  private int readers;
  private @Nullable Task writer;
  private @Nullable Access head;
  private @Nullable Access tail;

  /** Queued readers whose turn it is. */
  private @Nullable Access holders;

  private volatile long version;

  /** How often exclusive turns were requested, above how many of those turns are not over. */
  private volatile long writes;

  private volatile @Nullable Fault fault;

  public Variable() {
    this.name = null;
  }

  /** Creates a variable that messages call {@code name}. */
  public Variable(String name) {
    this.name = name;
  }

  /** The number of writes that have finished, including failed and skipped ones. */
  public long version() {
    return version;
  }

  /** The fault that the last finished write left. Call it only in one's turn. */
  @Nullable Fault fault() {
    return fault;
  }

  /** Records what a finished write leaves: a fault, or null for a good value. */
  void written(@Nullable Fault left) {
    FAULT.setRelease(this, left);
    VERSION.setRelease(this, version + 1); // only the one writer in its turn gets here
  }

  /** The rank of this variable when several are locked; assigned on demand. */
  long id() {
    long known = id;
    if (known == 0) {
      ID.compareAndSet(this, 0L, IDS.incrementAndGet());
      known = id;
    }
    return known;
  }

  @SuppressWarnings("ThreadPriorityCheck") // the holder may have been descheduled
  void lock() {
    for (int i = 0; !LOCK.weakCompareAndSetAcquire(this, 0, 1); i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  void unlock() {
    LOCK.setRelease(this, 0);
  }

  /** Takes a turn for {@code task} if it would be its turn at once. */
  boolean tryTake(Task task, boolean exclusive) {
    lock();
    boolean free = head == null && writer == null && (!exclusive || readers == 0);
    if (free) {
      if (exclusive) {
        announce();
      }
      take(task, exclusive);
    }
    unlock();
    return free;
  }

  /** Takes an anonymous turn to read, if one is available at once. */
  boolean tryRead() {
    lock();
    boolean free = head == null && writer == null;
    if (free) {
      readers++;
    }
    unlock();
    return free;
  }

  /**
   * A stamp for reading without a turn, where a concurrent write does no harm. What was computed
   * from the read is valid if the stamp was not negative before and is the same afterwards. Stamps
   * only grow. Negative if a task has a turn to write or waits for one, or if the variable holds a
   * fault.
   */
  public long stamp() {
    VarHandle.loadLoadFence(); // the read happened before this
    long seen = writes;
    return (int) seen == 0 && fault == null ? seen & Long.MAX_VALUE : WRITTEN;
  }

  /**
   * With the lock held, before anything is written: announces the write to readers without a turn.
   */
  private void announce() {
    WRITES.setRelease(this, writes + ASKED + 1);
    VarHandle.storeStoreFence();
  }

  private void take(Task task, boolean exclusive) {
    if (exclusive) {
      writer = task;
    } else {
      readers++;
    }
  }

  /** Whether no task has a turn. */
  boolean isIdle() {
    lock();
    boolean idle = writer == null && readers == 0;
    unlock();
    return idle;
  }

  /** With the lock held: queues {@code access}, or grants it; returns true if it was granted. */
  boolean append(Access access) {
    if (access.exclusive) {
      announce();
    }
    if (head == null && writer == null && (!access.exclusive || readers == 0)) {
      take(access.task, access.exclusive);
      hold(access);
      return true;
    }
    if (tail == null) {
      head = access;
    } else {
      tail.next = access;
    }
    tail = access;
    return false;
  }

  /** Ends a turn. Returns the accesses that this granted, linked by {@link Access#next}. */
  @Nullable Access release(boolean exclusive) {
    lock();
    if (exclusive) {
      writer = null;
      WRITES.setRelease(this, writes - 1);
    } else {
      readers--;
    }
    Access granted = head == null ? null : grant();
    unlock();
    return granted;
  }

  /** The fault that {@code access} sees, if its turn has begun and not ended. */
  @Nullable Fault faultFor(Access access) {
    lock();
    Fault held = access.granted && !access.released ? fault : null;
    unlock();
    return held;
  }

  /**
   * Ends the turn of {@code access} if it has begun and not ended: for a task that was given up.
   */
  boolean claimRelease(Access access) {
    lock();
    boolean mine = access.granted && !access.released;
    if (mine) {
      access.released = true;
      drop(access);
    }
    unlock();
    return mine;
  }

  private void hold(Access access) {
    access.granted = true;
    if (access.exclusive) {
      return;
    }
    access.heldAfter = holders;
    if (holders != null) {
      holders.heldBefore = access;
    }
    holders = access;
  }

  private void drop(Access access) {
    if (access.exclusive) {
      return;
    }
    if (access.heldBefore == null) {
      holders = access.heldAfter;
    } else {
      access.heldBefore.heldAfter = access.heldAfter;
    }
    if (access.heldAfter != null) {
      access.heldAfter.heldBefore = access.heldBefore;
    }
    access.heldBefore = null;
    access.heldAfter = null;
  }

  private @Nullable Access grant() {
    Access first = null;
    Access last = null;
    while (head != null && writer == null && (!head.exclusive || readers == 0)) {
      Access access = head;
      head = access.next;
      if (head == null) {
        tail = null;
      }
      access.next = null;
      take(access.task, access.exclusive);
      hold(access);
      if (last == null) {
        first = access;
      } else {
        last.next = access;
      }
      last = access;
    }
    return first;
  }

  /** Lists the tasks that have a turn and those that wait for one. Used to search for cycles. */
  void list(List<Task> writing, List<Task> reading, List<Access> queue) {
    lock();
    try {
      if (writer != null) {
        writing.add(writer);
      }
      for (Access holder = holders; holder != null; holder = holder.heldAfter) {
        reading.add(holder.task);
      }
      for (Access access = head; access != null; access = access.next) {
        queue.add(access);
      }
    } finally {
      unlock();
    }
  }

  @Override
  public String toString() {
    return name == null ? "variable " + id() : name;
  }
}
