package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
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
  private final PriorityQueue<Task> ready = new PriorityQueue<>(FIRST);
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
    turn.lock();
    try {
      java.util.Objects.requireNonNull(task.context).list(task);
      if (enqueue(task)) {
        ready(task);
      }
      while (random == null ? !ready.isEmpty() : random.nextBoolean()) {
        if (!step()) {
          return;
        }
      }
    } finally {
      turn.unlock();
    }
  }

  @Override
  void ready(Task task) {
    turn.lock();
    try {
      if (task.waiter == null) {
        ready.add(task);
      }
    } finally {
      turn.unlock();
    }
  }

  /** Starts a task or finishes one; false if there is nothing to do. */
  private boolean step() {
    boolean mayStart = !ready.isEmpty() && (open.size() < workers || random == null);
    if (open.isEmpty() && !mayStart) {
      return false;
    }
    if (random == null) {
      run(ready.remove());
    } else if (open.isEmpty() || (mayStart && random.nextBoolean())) {
      Task task = ready.remove();
      if (random.nextBoolean()) {
        task = another(task, random);
      }
      if (task.start()) {
        open.add(new Open(task, task.outcome()));
      }
    } else {
      Open chosen = open.remove(random.nextInt(open.size()));
      complete(chosen.task, chosen.outcome);
    }
    return true;
  }

  /** Another ready task of the same priority, drawn by chance; {@code first} goes back. */
  private Task another(Task first, Random chance) {
    List<Task> equals = new ArrayList<>(List.of(first));
    while (!ready.isEmpty() && ready.element().priority() == first.priority()) {
      equals.add(ready.remove());
    }
    Task chosen = equals.remove(chance.nextInt(equals.size()));
    ready.addAll(equals);
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
      run(task);
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
          end = Fault.value("waitAll can never end inside a task of the same context");
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

  @Override
  void close(Duration grace) {}
}
