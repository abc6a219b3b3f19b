package dev.staunch.fault;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How far a fault spread: how many operations were skipped because of it, and whether it has been
 * read. All copies of a fault share one reach, the only mutable part of a fault. Thread-safe.
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

  /** Shares the count of skipped operations, but is read and accounted for separately. */
  Reach copy() {
    return new Reach(skipped);
  }

  /** Returns true the first time; for the component that accounts for arising faults. */
  public boolean markKnown() {
    return known.compareAndSet(false, true);
  }

  /** Whether this fault is already accounted for. */
  public boolean isKnown() {
    return known.get();
  }

  /** Counts one operation that did not run because an input held this fault. */
  public void skip() {
    skipped.getAndIncrement();
  }

  /** The number of operations skipped because of this fault so far. */
  public long skipped() {
    return skipped.get();
  }

  /** Records that code outside the runtime has seen this fault. */
  public void markRead() {
    if (!read) {
      read = true;
      tellListener();
    }
  }

  /**
   * Runs {@code action} once when this fault is read, or now if it was already. At most one action.
   */
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
