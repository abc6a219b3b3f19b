package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A unit of cancellation: a request, a call in it, a loop in that call. Cancelling a scope cancels
 * all scopes below it; the first reason stays. A deadline is inherited. It has no timer: waits,
 * loops, long kernels and the start of each operation check it, so it costs nothing once the
 * request is over. Thread-safe.
 *
 * <p>Work that already runs in a cancelled scope drains: it finishes, or stops at its next poll. A
 * {@linkplain #failFast fail-fast} scope also cancels itself when an operation in it fails.
 */
public final class CancelScope {
  /** A place where work of a scope may wait. */
  abstract static class Waiting {
    /** Settles the work of cancelled scopes that has not started. */
    abstract void sweep();
  }

  private static final WeakReference<@Nullable Waiting> NOWHERE = new WeakReference<>(null);

  private final @Nullable CancelScope parent;
  private final AtomicReference<@Nullable Fault> reason = new AtomicReference<>();

  /** Whether waiting work may be settled with the failure of a sibling, see {@link #propagate}. */
  private volatile boolean propagated;

  /**
   * The contexts with work of this scope, which may be collected before it. Created for the first
   * one.
   */
  private @Nullable Set<Waiting> homes;

  private volatile WeakReference<@Nullable Waiting> latest = NOWHERE;
  private final LongSupplier clock;

  /**
   * Read from the clock only if there is a deadline: each request asks for scopes, most of them
   * without one.
   */
  private final long started;

  private final long budgetNanos;
  private final boolean failFast;

  /** Kept only if there is a deadline, whose fault says where the time went. */
  private final @Nullable TimeBreakdown spent;

  /** Whether this scope or one above it has a deadline. */
  private final boolean timed;

  private CancelScope(CancelScope parent, long budgetNanos, boolean failFast) {
    this(parent, parent.clock, budgetNanos, failFast);
  }

  private CancelScope(
      @Nullable CancelScope parent, LongSupplier clock, long budgetNanos, boolean failFast) {
    this.parent = parent;
    this.clock = clock;
    this.started = budgetNanos == Long.MAX_VALUE ? 0 : clock.getAsLong();
    this.budgetNanos = budgetNanos;
    this.failFast = failFast;
    this.spent = budgetNanos == Long.MAX_VALUE ? null : new TimeBreakdown(clock);
    this.timed = spent != null || (parent != null && parent.timed);
  }

  public static CancelScope open() {
    return new CancelScope(null, System::nanoTime, Long.MAX_VALUE, false);
  }

  /** A scope that counts as cancelled once {@code budget} has passed from now. */
  public static CancelScope withDeadline(Duration budget) {
    return withDeadline(budget, System::nanoTime);
  }

  /** As {@link #withDeadline(Duration)}, with another clock, which returns nanoseconds. */
  static CancelScope withDeadline(Duration budget, LongSupplier clock) {
    return new CancelScope(null, clock, nanos(budget), false);
  }

  /** More than 292 years counts as forever; a negative budget counts as zero. */
  static long nanos(Duration budget) {
    if (budget.isNegative()) {
      return 0;
    }
    return budget.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0
        ? budget.toNanos()
        : Long.MAX_VALUE;
  }

  /** A scope that is cancelled with this one, and can also be cancelled alone. */
  public CancelScope child() {
    return new CancelScope(this, Long.MAX_VALUE, false);
  }

  /** As {@link #child()}, and also counts as cancelled once {@code budget} has passed from now. */
  public CancelScope child(Duration budget) {
    return new CancelScope(this, nanos(budget), false);
  }

  /**
   * A child that is cancelled by the first fault of an operation in it, so that the siblings do not
   * start.
   */
  public CancelScope failFast() {
    return new CancelScope(this, Long.MAX_VALUE, true);
  }

  /** As {@link #cancel(CancelReason, String)}, with the reason that the user asked for it. */
  public boolean cancel(String why) {
    return cancel(CancelReason.USER, Objects.requireNonNull(why, "why"));
  }

  /**
   * Cancels this scope and all below it. Returns false, and keeps the earlier reason, if this was
   * already cancelled: by itself, by a scope above, or by a deadline that had passed unnoticed.
   * Either way, this call settles the work that waits in the scope, on the calling thread, before
   * it returns, except for work that is still to receive the fault of a failed sibling.
   */
  public boolean cancel(CancelReason why, String message) {
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(message, "message");
    Guard.ROOM.require();
    boolean first = check() == null && reason.compareAndSet(null, Fault.cancelled(why, message));
    if (first) {
      propagated = true;
    }
    homes().forEach(Waiting::sweep);
    return first;
  }

  /**
   * Called once everything that depends on the operation whose {@code failure} cancelled this
   * scope, or one above it, has its fault; settles the others that wait.
   */
  void propagate(Fault failure) {
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      Fault fault = scope.reason.get();
      if (fault != null && fault.suppressed().contains(failure)) {
        scope.propagated = true;
        scope.homes().forEach(Waiting::sweep);
      }
    }
  }

  /**
   * Records that {@code home} has work of this scope or of one below: whatever waits there is
   * settled when this is cancelled. The caller lists its task first and looks at {@link #check}
   * afterwards.
   */
  void enlist(Waiting home) {
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      if (!scope.latest.refersTo(home)) {
        scope.add(home);
      }
    }
  }

  private void add(Waiting home) {
    synchronized (this) {
      Set<Waiting> known = homes;
      if (known == null) {
        known = Collections.newSetFromMap(new WeakHashMap<>());
        homes = known;
      }
      known.add(home);
    }
    latest = new WeakReference<>(home);
  }

  private synchronized List<Waiting> homes() {
    Set<Waiting> known = homes;
    return known == null ? List.of() : List.copyOf(known);
  }

  /** Tells the scope that an operation in it failed; returns true if that cancelled the scope. */
  boolean failed(Fault fault) {
    boolean cancelled = false;
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      if (scope.failFast && scope.check() == null) {
        String text = "an operation of the same work failed before: " + fault.message();
        Fault sibling = Fault.cancelled(CancelReason.SIBLING_FAILED, text);
        cancelled |= scope.reason.compareAndSet(null, sibling.withSuppressed(List.of(fault)));
      }
    }
    return cancelled;
  }

  /** The fault of the cancellation or of the passed deadline, or null. Cheap: polled in loops. */
  public @Nullable Fault check() {
    return check(null);
  }

  /**
   * As {@link #check()}, at the point where {@code next} begins, one of a sequence of steps: the
   * fault of a deadline names it if it takes long. Null begins no step.
   */
  public @Nullable Fault check(@Nullable Object next) {
    if (timed && next != null) {
      tell(spent -> spent.steps(next));
    }
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      boolean open = scope.reason.get() == null && scope.budgetNanos == Long.MAX_VALUE;
      Fault fault = open ? null : scope.checkThis();
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /**
   * As {@link #check}, for waiting work: a sibling's failure counts only once everything that
   * depends on the sibling has its fault, which outranks the cancellation.
   */
  @Nullable Fault checkWaiting() {
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      Fault fault = scope.checkThis();
      if (fault != null && (scope.propagated || fault.reason() != CancelReason.SIBLING_FAILED)) {
        return fault;
      }
    }
    return null;
  }

  private @Nullable Fault checkThis() {
    Fault fault = reason.get();
    return fault == null && budgetNanos != Long.MAX_VALUE ? checkDeadline() : fault;
  }

  /** {@code cancel scope}, with the reason if it was cancelled. */
  @Override
  public String toString() {
    Fault fault = check();
    return fault == null ? "cancel scope" : "cancel scope, cancelled: " + fault.message();
  }

  private @Nullable Fault checkDeadline() {
    long gone = clock.getAsLong() - started;
    if (gone < budgetNanos) {
      return null;
    }
    String text =
        Message.of(
            "the deadline of %d ms passed: %d ms went by, %s",
            TimeBreakdown.millis(budgetNanos),
            TimeBreakdown.millis(gone),
            spent == null ? "" : spent.told());
    reason.compareAndSet(null, Fault.cancelled(CancelReason.DEADLINE, text));
    return reason.get();
  }

  /** Whether this scope or one further out has a deadline. */
  boolean isTimed() {
    return timed;
  }

  void begins(Object task) {
    tell(spent -> spent.begins(task));
  }

  void ends(Object task) {
    tell(spent -> spent.ends(task));
  }

  /** The calling thread begins to wait for a value; it calls {@link #waitEnds} afterwards. */
  void waitBegins() {
    tell(TimeBreakdown::waitBegins);
  }

  void waitEnds() {
    tell(TimeBreakdown::waitEnds);
  }

  private void tell(Consumer<TimeBreakdown> news) {
    for (CancelScope scope = this; scope != null && scope.timed; scope = scope.parent) {
      if (scope.spent != null) {
        news.accept(scope.spent);
      }
    }
  }

  /** Nanoseconds until the nearest deadline, {@code Long.MAX_VALUE} if there is none. */
  long remainingNanos() {
    long nearest = Long.MAX_VALUE;
    for (CancelScope scope = this; scope != null; scope = scope.parent) {
      if (scope.budgetNanos != Long.MAX_VALUE) {
        nearest = Math.min(nearest, scope.budgetNanos - (clock.getAsLong() - scope.started));
      }
    }
    return nearest;
  }
}
