package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What can be cancelled together: a request, a call in it, a loop in that (C1). Cancelling one
 * cancels all below; the first reason stays. A deadline is inherited. Thread-safe.
 */
public final class CancelScope {
  private final @Nullable CancelScope parent;
  private final AtomicReference<@Nullable Fault> reason = new AtomicReference<>();
  private final long started = System.nanoTime();
  private final long budgetNanos;

  private CancelScope(@Nullable CancelScope parent, long budgetNanos) {
    this.parent = parent;
    this.budgetNanos = budgetNanos;
  }

  public static CancelScope open() {
    return new CancelScope(null, Long.MAX_VALUE);
  }

  /** A scope that cancels itself {@code budget} after now. */
  public static CancelScope withDeadline(Duration budget) {
    return new CancelScope(null, budget.toNanos());
  }

  public CancelScope child() {
    return new CancelScope(this, Long.MAX_VALUE);
  }

  public CancelScope child(Duration budget) {
    return new CancelScope(this, budget.toNanos());
  }

  /** Cancels this and what is below it; false if it was cancelled before. */
  public boolean cancel(String why) {
    return reason.compareAndSet(null, Fault.of(FaultType.CANCELLED, why));
  }

  /** The fault of the cancellation or of the passed deadline, or null. Cheap: polled in loops. */
  public @Nullable Fault check() {
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      Fault fault = scope.reason.get();
      if (fault == null && scope.budgetNanos != Long.MAX_VALUE) {
        fault = scope.checkDeadline();
      }
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private @Nullable Fault checkDeadline() {
    long spent = System.nanoTime() - started;
    if (spent < budgetNanos) {
      return null;
    }
    String text =
        "the deadline of %d ms passed after %d ms"
            .formatted(budgetNanos / 1_000_000, spent / 1_000_000);
    reason.compareAndSet(null, Fault.of(FaultType.DEADLINE_EXCEEDED, text));
    return reason.get();
  }

  /** Nanoseconds until the nearest deadline, {@code Long.MAX_VALUE} if there is none. */
  long remainingNanos() {
    long nearest = Long.MAX_VALUE;
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      if (scope.budgetNanos != Long.MAX_VALUE) {
        nearest = Math.min(nearest, scope.budgetNanos - (System.nanoTime() - scope.started));
      }
    }
    return nearest;
  }
}
