package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs small tasks where they stand if it is their turn, and everything else on worker threads. A
 * worker that waits inside a task makes room for another, so that one is enough (E3).
 */
final class ThreadedScheduler extends Scheduler {
  /** How often a wait looks whether it was cancelled. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final WorkerThreads workers;
  private final WaitGraph waits = new WaitGraph();

  ThreadedScheduler(int count, String name) {
    this.workers = new WorkerThreads(this, count, name);
  }

  @Override
  void push(Task task) {
    if (task.isSmall() && tryTake(task)) {
      run(task);
      return;
    }
    java.util.Objects.requireNonNull(task.context).list(task);
    if (enqueue(task)) {
      ready(task);
    }
  }

  @Override
  void ready(Task task) {
    Thread waiter = task.waiter;
    if (waiter != null) {
      LockSupport.unpark(waiter);
    } else if (!workers.keep(task)) {
      workers.add(task);
    }
  }

  @Override
  void here(Task task, @Nullable CancelScope wait) {
    if (tryTake(task)) {
      run(task);
      return;
    }
    task.waiter = Thread.currentThread();
    java.util.Objects.requireNonNull(task.context).list(task);
    if (!enqueue(task)) {
      await(task, wait);
    }
    run(task);
  }

  private void await(Task task, @Nullable CancelScope wait) {
    Fault full = workers.blocked();
    long begun = System.nanoTime();
    waits.add(Thread.currentThread(), task, workers.running());
    try {
      while (!task.isReady() && !task.isSettled()) {
        Fault stop = full == null ? stop(task, wait) : full;
        if (stop != null) {
          giveUp(task, stop);
          return;
        }
        LockSupport.parkNanos(this, nextPoll(wait));
      }
    } finally {
      waits.remove(Thread.currentThread());
      workers.unblocked();
      if (wait != null) {
        wait.addWait(System.nanoTime() - begun);
      }
    }
  }

  private static long nextPoll(@Nullable CancelScope wait) {
    return wait == null ? POLL_NANOS : Math.clamp(wait.remainingNanos(), 1, POLL_NANOS);
  }

  /** What ends a wait before its time. */
  private @Nullable Fault stop(Task task, @Nullable CancelScope wait) {
    java.util.Objects.requireNonNull(task.context).sweep();
    Fault interrupted = interrupted();
    if (interrupted != null) {
      return interrupted;
    }
    Fault cancelled = wait == null ? null : wait.check();
    return cancelled == null ? waits.cycle(task) : cancelled;
  }

  /** The fault of an interrupted wait; the thread's flag stays set. */
  static @Nullable Fault interrupted() {
    return Thread.currentThread().isInterrupted()
        ? Fault.cancelled(CancelReason.USER, "the wait for a value was interrupted")
        : null;
  }

  @Override
  @Nullable Fault drain(EngineContext context, long order, @Nullable CancelScope wait) {
    Fault full = workers.blocked();
    try {
      while (!context.awaitBefore(order, nextPoll(wait))) {
        context.sweep();
        Fault interrupted = interrupted();
        Fault stop = interrupted != null || wait == null ? interrupted : wait.check();
        if (stop == null) {
          stop = full != null ? full : WaitGraph.ownDrain(workers.running(), context, order);
        }
        if (stop != null) {
          return stop;
        }
      }
      return null;
    } finally {
      workers.unblocked();
    }
  }

  @Override
  void close(Duration grace) {
    workers.close(grace);
  }
}
