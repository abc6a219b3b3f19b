package dev.staunch.fault;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How far a fault went: how many operations were skipped because of it and whether anybody has read
 * it. Shared by all copies of one fault; the only thing about a fault that changes. Thread-safe.
 */
public final class Reach {
  private static final VarHandle KNOWN;
  private static final VarHandle LISTENER;

  static {
    try {
      KNOWN = MethodHandles.lookup().findVarHandle(Reach.class, "known", boolean.class);
      LISTENER = MethodHandles.lookup().findVarHandle(Reach.class, "listener", Runnable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final AtomicLong skipped;
  private volatile boolean read;

  private volatile boolean known;

  @SuppressWarnings("UnusedVariable") // read through its VarHandle
  private volatile @Nullable Runnable listener;

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
    return KNOWN.compareAndSet(this, false, true);
  }

  /** Whether somebody keeps account of this. */
  public boolean isKnown() {
    return known;
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
    listener = action;
    if (read) {
      tellListener();
    }
  }

  private void tellListener() {
    Runnable action = (Runnable) LISTENER.getAndSet(this, null);
    if (action != null) {
      action.run();
    }
  }

  public boolean isRead() {
    return read;
  }
}
