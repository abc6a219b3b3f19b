package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The numbers of an {@link Account}: the bytes it has from its parent, those of them that nobody
 * uses, and the most that were in use. What is to spare changes under the latch, under which the
 * members come and go, too; the rest at any time. Reading needs no latch. Thread-safe.
 */
final class Ledger extends Latch {
  private static final VarHandle SPARE;
  private static final VarHandle QUOTA;
  private static final VarHandle PEAK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SPARE = lookup.findVarHandle(Ledger.class, "spare", long.class);
      QUOTA = lookup.findVarHandle(Ledger.class, "quota", long.class);
      PEAK = lookup.findVarHandle(Ledger.class, "peak", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long quota;
  private volatile long spare;
  private volatile long peak;

  /**
   * @param quota bytes to begin with, all to spare
   */
  Ledger(long quota) {
    QUOTA.set(this, quota); // nobody knows this yet
    SPARE.set(this, quota);
  }

  /** Bytes taken from the parent, less those given back; the root has its budget from the start. */
  long quota() {
    return quota;
  }

  /** Bytes of the quota that nobody uses. */
  long spare() {
    return spare;
  }

  /** Bytes given out. */
  long granted() {
    return quota - spare;
  }

  long peak() {
    return peak;
  }

  /** Takes {@code bytes} of what is to spare, if there are so many. */
  boolean take(long bytes) {
    lock();
    try {
      return takeLatched(bytes);
    } finally {
      unlock();
    }
  }

  /** As {@link #take}, with the latch held. */
  boolean takeLatched(long bytes) {
    long left = spare - bytes;
    if (left < 0) {
      return false;
    }
    SPARE.setRelease(this, left);
    notePeak(quota - left);
    return true;
  }

  /** With the latch held: {@code bytes} more are to spare; how many there are now. */
  long putLatched(long bytes) {
    long now = spare + bytes;
    SPARE.setRelease(this, now);
    return now;
  }

  /** Has {@code bytes} to spare of what the parent has granted; the rest of that is in use. */
  void credit(long bytes) {
    lock();
    try {
      notePeak(quota - putLatched(bytes));
    } finally {
      unlock();
    }
  }

  /** Takes what is to spare beyond {@code keep} out of it, and of the quota; how much that was. */
  long cut(long keep) {
    lock();
    long over = Math.max(0, spare - keep);
    SPARE.setRelease(this, spare - over);
    unlock();
    addQuota(-over);
    return over;
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

  /** Notes how much is given out. */
  void notePeak() {
    notePeak(granted());
  }

  private void notePeak(long held) {
    long seen = peak;
    while (held > seen && !PEAK.compareAndSet(this, seen, held)) {
      seen = peak;
    }
  }
}
