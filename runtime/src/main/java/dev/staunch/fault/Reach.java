package dev.staunch.fault;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How far a fault went: how many operations were skipped because of it and whether anybody has read
 * it. Shared by all copies of one fault; the only thing about a fault that changes. Thread-safe.
 */
public final class Reach {
  private final AtomicLong skipped;
  private final AtomicBoolean known = new AtomicBoolean();
  private final AtomicReference<@Nullable Runnable> listener = new AtomicReference<>();
  private volatile boolean read;

  Reach() {
    this(new AtomicLong());
  }

  private Reach(AtomicLong skipped) {
    this.skipped = skipped;
  }

  /** Counts the same skipped operations, but is read and taken account of on its own. */
  Reach copy() {
    return new Reach(skipped);
  }

  /** True the first time: for whoever keeps account of the faults that arise. */
  public boolean markKnown() {
    return known.compareAndSet(false, true);
  }

  /** Whether somebody keeps account of this. */
  public boolean isKnown() {
    return known.get();
  }

  /** Counts one operation that did not run because an input held this fault. */
  public void skip() {
    skipped.getAndIncrement();
  }

  /** Operations skipped because of this fault so far. */
  public long skipped() {
    return skipped.get();
  }

  /** Notes that somebody outside the runtime has seen this fault. */
  public void markRead() {
    if (!read) {
      read = true;
      tellListener();
    }
  }

  /** Runs {@code action} once, when this fault is read, or now if it was. At most one action. */
  public void whenRead(Runnable action) {
    listener.set(action);
    if (read) {
      tellListener();
    }
  }

  private void tellListener() {
    Runnable action = listener.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }

  public boolean isRead() {
    return read;
  }
}
