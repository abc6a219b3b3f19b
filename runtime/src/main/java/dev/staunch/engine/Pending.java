package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A value that arrives later: settled once, with a value or a {@link Fault}, and final from then
 * on. Thread-safe.
 *
 * <p>Continuations run on the settling thread in the order in which they were added, or at once if
 * the value has arrived. If a continuation settles another pending value, that value's
 * continuations run when the first one has finished or waits for a value. So a chain of any length
 * needs no more stack than a single one.
 */
public final class Pending {
  /** How often a wait checks whether its scope was cancelled. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The continuations that this thread still has to run. */
  private static final ScopedValue<Deque<Runnable>> TELLING = ScopedValue.newInstance();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();
  private @Nullable Object value;
  private @Nullable List<Runnable> waiting;

  /** A value that has not arrived. */
  public Pending() {}

  /** The value or fault, or null if it has not arrived yet. */
  public @Nullable Object peek() {
    lock.lock();
    try {
      return value;
    } finally {
      lock.unlock();
    }
  }

  /** Settles this value. Returns false, without effect, if it was already settled. */
  public boolean settle(Object outcome) {
    Objects.requireNonNull(outcome, "outcome");
    Guard.ROOM_TO_END.require();
    List<Runnable> ready;
    lock.lock();
    try {
      if (value != null) {
        return false;
      }
      value = outcome;
      ready = waiting;
      waiting = null;
      settled.signalAll();
    } finally {
      lock.unlock();
    }
    if (ready != null) {
      tellAll(ready);
    }
    return true;
  }

  private static void tellAll(List<Runnable> ready) {
    if (TELLING.isBound()) {
      TELLING.get().addAll(ready);
      return;
    }
    Deque<Runnable> queue = new ArrayDeque<>(ready);
    ScopedValue.where(TELLING, queue).run(() -> tellRest(queue));
  }

  private static void tellRest(Deque<Runnable> queue) {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      tell(next);
    }
  }

  /** What a continuation throws affects neither the other continuations nor the settling caller. */
  private static void tell(Runnable waiting) {
    Guard.run(Runnable::run, waiting);
  }

  /** Runs {@code action} once this is settled; what it throws is ignored. */
  public void whenSettled(Runnable action) {
    Objects.requireNonNull(action, "action");
    lock.lock();
    try {
      if (value == null) {
        if (waiting == null) {
          waiting = new ArrayList<>();
        }
        waiting.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    tell(action);
  }

  /**
   * Waits for the value or fault. If {@code scope} is cancelled or its deadline passes first, or
   * the thread is interrupted, returns the fault that says so. After an interrupt the thread's
   * interrupt flag is set again.
   */
  public Object await(CancelScope scope) {
    Guard.ROOM.require();
    Object there = arrived();
    if (there != null) {
      return there;
    }
    scope.waitBegins();
    try {
      return awaitSettled(scope);
    } finally {
      scope.waitEnds();
    }
  }

  /** As {@link #peek}, after this thread has run all its remaining continuations. */
  @Nullable Object arrived() {
    Object there = peek();
    if (there == null && TELLING.isBound()) {
      tellRest(TELLING.get()); // the awaited value may depend on them
      there = peek();
    }
    return there;
  }

  private Object awaitSettled(CancelScope scope) {
    lock.lock();
    try {
      while (value == null) {
        Fault stop = scope.check();
        if (stop != null) {
          return stop;
        }
        long nanos = Math.max(1, Math.min(POLL_NANOS, scope.remainingNanos()));
        settled.awaitNanos(nanos);
      }
      return value;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Fault.cancelled(CancelReason.USER, "the wait for a value was interrupted")
          .withCause(e);
    } finally {
      lock.unlock();
    }
  }
}
