package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Named daemon threads that run ready tasks, the highest priority first. As many run at once as
 * were asked for. A thread that is blocked inside a task does not count: another takes its place,
 * and exits when there are too many again. Threads start on demand and exit after some idle
 * seconds.
 */
final class WorkerThreads {
  /** How many threads may be blocked inside tasks at once. */
  static final int MAX_BLOCKED = 1024;

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How long the one spinning worker looks for work before it sleeps: about the cost of waking a
   * sleeper, so that the total is never more than twice the optimum.
   */
  private static final long LOOKOUT_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final int LOOKS = 32;
  private static final boolean SPARE_PROCESSOR = Runtime.getRuntime().availableProcessors() > 1;

  private final Consumer<Task> run;
  private final int target;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition gone = lock.newCondition();
  private final ReadyQueue ready = new ReadyQueue();
  private final AtomicBoolean lookout = new AtomicBoolean();
  private volatile int waitingTasks;
  private int active;
  private int idle;
  private int blocked;
  private long started;
  private boolean closed;

  /** Workers whose tasks are closing this pool, and so wait for all workers but each other. */
  private int closing;

  /** One of the threads; {@code kept} is the task that it runs next. */
  private final class Worker extends Thread {
    @Nullable Task kept;
    @Nullable Task running;

    Worker(String threadName) {
      super(threadName);
      setDaemon(true);
    }

    WorkerThreads home() {
      return WorkerThreads.this;
    }

    @Override
    public void run() {
      Task task = take();
      while (task != null) {
        running = task;
        Guard.run(run, task);
        running = null;
        Thread.interrupted(); // the interrupt was meant for the previous task
        task = kept;
        kept = null;
        if (task == null) {
          task = take();
        }
      }
    }
  }

  /**
   * @param run runs a task whose turn it is
   */
  WorkerThreads(Consumer<Task> run, int target, String name) {
    this.run = run;
    this.target = target;
    this.name = name;
  }

  private @Nullable Worker current() {
    return Thread.currentThread() instanceof Worker worker && worker.home() == this ? worker : null;
  }

  /** The task that the calling thread runs, if it is a worker. */
  @Nullable Task running() {
    Worker worker = current();
    return worker == null ? null : worker.running;
  }

  /**
   * Lets the calling worker run {@code task} next, if nothing else waits and the worker has
   * finished its own task. If {@code task} is more urgent than the one it was to run next, that one
   * goes back to the queue (E7).
   */
  boolean keep(Task task) {
    Worker worker = current();
    if (worker == null) {
      return false;
    }
    Task kept = worker.kept;
    if (kept != null) {
      if (task.priority() > kept.priority()) {
        worker.kept = null;
        putBack(kept);
      }
      return false;
    }
    Task own = worker.running;
    if (waitingTasks > 0 || own == null || !own.isSettled()) {
      return false;
    }
    worker.kept = task;
    return true;
  }

  private void putBack(Task kept) {
    lock.lock();
    try {
      ready.addFirst(kept);
      waitingTasks = ready.size();
      wake();
    } finally {
      lock.unlock();
    }
  }

  void add(Task task) {
    lock.lock();
    try {
      if (!closed) {
        ready.add(task);
        waitingTasks = ready.size();
        if (task.quiet || wake()) {
          return;
        }
        ready.remove(task);
        waitingTasks = ready.size();
      }
    } finally {
      lock.unlock();
    }
    run.accept(task);
  }

  /** Ensures that a thread takes each waiting task, if need be the caller. */
  void wakeAll() {
    while (waitingTasks > 0) {
      Task task = wakeOthers();
      if (task == null) {
        return;
      }
      run.accept(task);
    }
  }

  /**
   * Wakes as many workers as there is work for; returns a task for the caller if there is no worker
   * at all.
   */
  private @Nullable Task wakeOthers() {
    lock.lock();
    try {
      boolean woken = true;
      for (int i = Math.min(ready.size(), target); i > 0 && woken; i--) {
        woken = wake();
      }
      Task task = woken ? null : ready.poll();
      waitingTasks = ready.size();
      return task;
    } finally {
      lock.unlock();
    }
  }

  /** Ensures that a worker takes a waiting task; false if there is no worker at all. */
  private boolean wake() {
    if (idle > 0 && !(lookout.get() && ready.size() == 1)) {
      work.signal();
    }
    if (idle < ready.size() && active < target && start()) {
      active++;
    }
    return active > 0;
  }

  /** Starts a thread, if the system has one to spare. */
  private boolean start() {
    Worker worker = new Worker(name + "-" + ++started);
    return Guard.run(Thread::start, worker) == null;
  }

  /** Spins briefly for work, unless another worker does. */
  private void lookOut() {
    if (waitingTasks > 0 || !SPARE_PROCESSOR || !lookout.compareAndSet(false, true)) {
      return;
    }
    awaitBriefly(() -> waitingTasks > 0);
    lookout.set(false); // adding a task wakes a worker from here on; the caller checks once more
  }

  /**
   * Saves a caller that is not a worker from sleeping when what it waits for is about to arrive.
   */
  void expect(BooleanSupplier there) {
    if (SPARE_PROCESSOR && current() == null) {
      awaitBriefly(there);
    }
  }

  /** Spins until {@code there} holds, but not for long. */
  private static void awaitBriefly(BooleanSupplier there) {
    long end = System.nanoTime() + LOOKOUT_NANOS;
    while (!there.getAsBoolean() && System.nanoTime() - end < 0) {
      for (int i = 0; i < LOOKS && !there.getAsBoolean(); i++) {
        Thread.onSpinWait();
      }
    }
  }

  private @Nullable Task take() {
    lookOut();
    lock.lock();
    try {
      long patience = IDLE_NANOS;
      while (active <= target) {
        Task task = ready.poll();
        if (task != null) {
          waitingTasks = ready.size();
          return task;
        }
        if (closed || patience <= 0) {
          break;
        }
        idle++;
        try {
          patience = work.awaitNanos(patience);
        } catch (InterruptedException e) {
          patience = IDLE_NANOS; // no code interrupts an idle worker on purpose
        } finally {
          idle--;
        }
      }
      active--;
      if (!ready.isEmpty()) {
        wake();
      }
      gone.signalAll();
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Announces that the calling thread is about to wait; returns a fault if too many already do. */
  @Nullable Fault blocked() {
    Worker worker = current();
    if (worker == null) {
      return null;
    }
    Task kept = worker.kept;
    worker.kept = null;
    lock.lock();
    try {
      if (kept != null) {
        ready.addFirst(kept);
      }
      waitingTasks = ready.size();
      active--;
      blocked++;
      if (!ready.isEmpty()) {
        wake();
      }
      return blocked <= MAX_BLOCKED ? null : WaitGraph.tooMany(MAX_BLOCKED);
    } finally {
      lock.unlock();
    }
  }

  void unblocked() {
    if (current() == null) {
      return;
    }
    lock.lock();
    try {
      active++;
      blocked--;
    } finally {
      lock.unlock();
    }
  }

  void close(Duration grace) {
    long nanos = grace.toNanos();
    int own = current() == null ? 0 : 1;
    lock.lock();
    try {
      closed = true;
      closing += own;
      work.signalAll();
      gone.signalAll();
      while (active + blocked > closing && nanos > 0) {
        nanos = gone.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closing -= own;
      lock.unlock();
    }
  }
}
