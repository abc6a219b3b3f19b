package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has no threads of its own: whoever pushes or waits runs what is ready, one thread at a time.
 * Serial, it runs each task as soon as it is its turn (E6). Seeded, it plays a number of workers
 * that start and finish tasks in an order drawn from the seed; with one pushing thread a seed
 * always gives the same order (E9).
 */
final class TurnScheduler extends Scheduler {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A task that ran and has not yet given up its turns. */
  private record Open(Task task, Object outcome) {}

  private final ReentrantLock turn = new ReentrantLock();

  /** Guarded by itself, for turns also come when a task is given up, by whatever thread. */
  private final ReadyQueue ready = new ReadyQueue();

  private final List<Open> open = new ArrayList<>();
  private final @Nullable Random random;
  private final int workers;

  private TurnScheduler(@Nullable Random random, int workers) {
    this.random = random;
    this.workers = workers;
  }

  static TurnScheduler serial() {
    return new TurnScheduler(null, 1);
  }

  static TurnScheduler seeded(long seed, int workers) {
    return new TurnScheduler(new Random(seed), workers);
  }

  @Override
  void push(Task task) {
    java.util.Objects.requireNonNull(task.context).list(task);
    if (enqueue(task)) {
      ready(task);
    }
    if (!lockFor(task)) {
      return;
    }
    try {
      while (random == null || random.nextBoolean()) {
        if (!step()) {
          return;
        }
      }
    } finally {
      turn.unlock();
    }
  }

  /** Takes the turn of this thread, unless the task is settled before by somebody else. */
  private boolean lockFor(Task task) {
    boolean interrupted = false;
    boolean locked = turn.tryLock();
    while (!locked && !task.isSettled()) {
      try {
        locked = turn.tryLock(POLL_NANOS, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true; // pushing is no wait that could be interrupted
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return locked;
  }

  @Override
  void ready(Task task) {
    if (task.waiter == null) {
      synchronized (ready) {
        ready.add(task);
      }
    }
  }

  private @Nullable Task nextReady() {
    synchronized (ready) {
      return random != null && random.nextBoolean() ? another(random) : ready.poll();
    }
  }

  private boolean hasReady() {
    synchronized (ready) {
      return !ready.isEmpty();
    }
  }

  /** Starts a task or finishes one; false if there is nothing to do. */
  private boolean step() {
    boolean mayStart = (open.size() < workers || random == null) && hasReady();
    if (open.isEmpty() && !mayStart) {
      return false;
    }
    if (random == null) {
      run(java.util.Objects.requireNonNull(nextReady()));
    } else if (open.isEmpty() || (mayStart && random.nextBoolean())) {
      Task task = java.util.Objects.requireNonNull(nextReady());
      if (task.start()) {
        open.add(new Open(task, task.attempt()));
      }
    } else {
      Open chosen = open.remove(random.nextInt(open.size()));
      complete(chosen.task, chosen.outcome);
    }
    return true;
  }

  /** A ready task of the highest priority, drawn by chance. */
  private @Nullable Task another(Random chance) {
    List<Task> equals = ready.pollEquals();
    Task chosen = equals.isEmpty() ? null : equals.remove(chance.nextInt(equals.size()));
    ready.restore(equals);
    return chosen;
  }

  @Override
  void here(Task task, @Nullable CancelScope wait) {
    Fault stop = lock(wait);
    if (stop != null) {
      giveUp(task, stop);
      return;
    }
    try {
      task.waiter = Thread.currentThread();
      java.util.Objects.requireNonNull(task.context).list(task);
      enqueue(task);
      while (!task.isReady() && !task.isSettled()) {
        Fault end = stop(task.context, wait);
        if (end == null && !step()) {
          end = WaitGraph.stuck(task);
        }
        if (end != null) {
          giveUp(task, end);
          return;
        }
      }
    } finally {
      finishAndUnlock(task);
    }
  }

  private void finishAndUnlock(Task task) {
    try {
      finish(task);
    } finally {
      turn.unlock();
    }
  }

  private static @Nullable Fault stop(EngineContext context, @Nullable CancelScope wait) {
    context.sweep();
    Fault interrupted = ThreadedScheduler.interrupted();
    return interrupted != null || wait == null ? interrupted : wait.check();
  }

  /** Takes the turn of this thread; or the fault that ended the wait for it. */
  private @Nullable Fault lock(@Nullable CancelScope wait) {
    try {
      while (!turn.tryLock() && !turn.tryLock(POLL_NANOS, TimeUnit.NANOSECONDS)) {
        Fault stop = wait == null ? null : wait.check();
        if (stop != null) {
          return stop;
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ThreadedScheduler.interrupted();
    }
  }

  @Override
  @Nullable Fault drain(EngineContext context, long order, @Nullable CancelScope wait) {
    Fault stop = lock(wait);
    if (stop != null) {
      return stop;
    }
    try {
      while (!context.awaitBefore(order, 0)) {
        Fault end = stop(context, wait);
        if (end == null && !step()) {
          end = WaitGraph.stuck(context, order);
        }
        if (end != null) {
          return end;
        }
      }
      return null;
    } finally {
      turn.unlock();
    }
  }

  /** Finishes what has run, unless another thread is in the middle of a task. */
  @Override
  void close(Duration grace) {
    if (lock(CancelScope.withDeadline(grace)) != null) {
      return;
    }
    try {
      while (!open.isEmpty()) {
        Open last = open.removeLast();
        complete(last.task, last.outcome);
      }
    } finally {
      turn.unlock();
    }
  }
}
