package dev.staunch.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The deferred tasks of a context that have not finished, in order of arrival. */
final class Unfinished {
  private static final long NOBODY = Long.MIN_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger cancellable = new AtomicInteger();
  private @Nullable Task first;
  private @Nullable Task last;

  /** A thread waits for the tasks pushed before this position. */
  private long awaited = NOBODY;

  void add(Task task) {
    lock.lock();
    try {
      task.before = last;
      if (last == null) {
        first = task;
      } else {
        last.after = task;
      }
      last = task;
      cancellable.addAndGet(task.isCancellable() ? 1 : 0);
    } finally {
      lock.unlock();
    }
  }

  /** Removes {@code task}, if it is listed. */
  void remove(Task task) {
    lock.lock();
    try {
      if (task.before == null && !task.is(first)) {
        return;
      }
      unlink(task);
      cancellable.addAndGet(task.isCancellable() ? -1 : 0);
      // Signalling after each task would wake the waiter needlessly, at a high cost.
      if (awaited != NOBODY && (first == null || first.order >= awaited)) {
        awaited = NOBODY; // a thread that waits for more sets this again
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void unlink(Task task) {
    if (task.before == null) {
      first = task.after;
    } else {
      task.before.after = task.after;
    }
    if (task.after == null) {
      last = task.before;
    } else {
      task.after.before = task.before;
    }
    task.before = null;
    task.after = null;
  }

  /** Waits briefly for all tasks before {@code order}; true if they have finished. */
  boolean awaitBefore(long order, long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && anyBefore(order)) {
        awaited = awaited == NOBODY ? order : Math.min(awaited, order);
        left = changed.awaitNanos(left);
      }
      return !anyBefore(order);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean anyBefore(long order) {
    for (Task task = first; task != null; task = task.after) {
      if (task.order < order) {
        return true;
      }
    }
    return false;
  }

  List<Task> before(long order) {
    return list(task -> task.order < order);
  }

  /** The tasks that a scope may cancel. */
  List<Task> cancellable() {
    return cancellable.get() > 0 ? list(Task::isCancellable) : List.of();
  }

  List<Task> all() {
    return list(task -> true);
  }

  private List<Task> list(Predicate<Task> wanted) {
    List<Task> found = new ArrayList<>();
    lock.lock();
    try {
      for (Task task = first; task != null; task = task.after) {
        if (wanted.test(task)) {
          found.add(task);
        }
      }
    } finally {
      lock.unlock();
    }
    return found;
  }
}
