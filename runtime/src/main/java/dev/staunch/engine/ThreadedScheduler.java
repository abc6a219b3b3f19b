package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs small tasks on the pushing thread if it is their turn, and everything else on worker
 * threads. A worker that waits inside a task makes room for another, so a single worker is enough
 * (E3).
 */
final class ThreadedScheduler extends Scheduler {
  /** How often a wait for a whole context checks whether it was cancelled. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final WorkerThreads workers;
  private final WaitGraph waits = new WaitGraph();
  private final WaitWatch watch = new WaitWatch();

  ThreadedScheduler(int count, String name) {
    super(true);
    this.workers = new WorkerThreads(this::run, count, name);
  }

  @Override
  void push(Task task) {
    if (!Hooks.isSmall(task) || !tryTake(task)) {
      defer(task);
    } else if (Hooks.mayWait(task)) {
      waits.enter(task);
      try {
        run(task);
      } finally {
        waits.leave();
      }
    } else {
      run(task);
    }
  }

  @Override
  void wake() {
    workers.wakeAll();
  }

  /** The workers were already woken when the tasks became ready. */
  @Override
  void visited() {}

  /** The workers complete what they run, even after the context has ended. */
  @Override
  void ended() {}

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
    if (!tryTake(task)) {
      task.waiter = Thread.currentThread();
      task.waitsIn(wait);
      task.home().list(task);
      if (!enqueue(task)) {
        await(task, wait);
      }
    }
    if (!Hooks.mayWait(task)) {
      finish(task);
      return;
    }
    waits.enter(task);
    try {
      finish(task);
    } finally {
      waits.leave();
    }
  }

  private void await(Task task, @Nullable CancelScope wait) {
    workers.wakeAll();
    workers.expect(() -> task.isReady() || task.isSettled());
    Fault full = workers.blocked();
    if (wait != null) {
      wait.waitBegins();
    }
    WaitGraph.Wait entry = waits.add(task, workers.running());
    watch.enter();
    try {
      while (!task.isReady() && !task.isSettled()) {
        Fault stop = full == null ? stop(task, wait, entry) : full;
        if (stop != null && !task.isReady()) {
          cancel(task, stop);
          return;
        }
        long most = wait == null ? Long.MAX_VALUE : wait.remainingNanos();
        watch.park(this, entry.mayCloseCycle(), most);
      }
    } finally {
      watch.leave();
      waits.remove(entry);
      workers.unblocked();
      if (wait != null) {
        wait.waitEnds();
      }
    }
  }

  private static long nextPoll(@Nullable CancelScope wait) {
    return wait == null ? POLL_NANOS : Math.clamp(wait.remainingNanos(), 1, POLL_NANOS);
  }

  /** The fault that ends a wait early, or null. */
  private @Nullable Fault stop(Task task, @Nullable CancelScope wait, WaitGraph.Wait entry) {
    Task.Home context = task.home();
    context.sweepAll();
    Fault fault = interrupted();
    if (fault == null && wait != null) {
      fault = wait.checkWaiting();
    }
    if (fault == null) {
      fault = CycleSearch.cycle(waits, entry);
    }
    return fault == null ? context.ended() : fault;
  }

  /** The fault of an interrupted wait; the thread's interrupt flag stays set. */
  static @Nullable Fault interrupted() {
    return Thread.currentThread().isInterrupted()
        ? Fault.cancelled(CancelReason.USER, "the wait for a value was interrupted")
        : null;
  }

  @Override
  @Nullable Fault drain(
      Task.Home context, Unfinished unfinished, long order, @Nullable CancelScope wait) {
    if (unfinished.awaitBefore(order, 0)) {
      return null;
    }
    workers.wakeAll();
    Fault full = workers.blocked();
    if (wait != null) {
      wait.waitBegins();
    }
    WaitGraph.Wait entry = waits.add(unfinished, order, workers.running());
    try {
      while (!unfinished.awaitBefore(order, nextPoll(wait))) {
        context.sweepAll();
        Fault stop = interrupted();
        if (stop == null && wait != null) {
          stop = wait.checkWaiting();
        }
        if (stop == null) {
          stop = full == null ? CycleSearch.cycle(waits, entry) : full;
        }
        if (stop == null) {
          stop = context.ended();
        }
        if (stop != null) {
          return stop;
        }
      }
      return null;
    } finally {
      waits.remove(entry);
      workers.unblocked();
      if (wait != null) {
        wait.waitEnds();
      }
    }
  }

  @Override
  void close(Duration grace) {
    workers.close(grace);
  }
}
