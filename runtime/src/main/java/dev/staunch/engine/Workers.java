package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Named daemon threads that run deferred work. There may be none: then the thread that {@linkplain
 * #await waits} runs the work. Nothing that a task throws ends a worker. Work that waits for other
 * work keeps its thread meanwhile, so do not nest more waits than there are threads.
 *
 * <p>Closing waits two seconds for submitted work, or until the closing thread is interrupted. It
 * then settles the work that has not begun, and interrupts what runs. It never keeps the process
 * from exiting. Thread-safe.
 */
public final class Workers implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(2);
  private final @Nullable ExecutorService threads;

  /** Work that runs on a thread that waits for it. */
  private final Queue<Job> queue = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();
  private long inFlight; // guarded by the lock

  /** Work and the pending value that receives its outcome. */
  private final class Job implements Runnable {
    private final Supplier<Object> work;
    final Pending result = new Pending();

    Job(Supplier<Object> work) {
      this.work = work;
    }

    @Override
    public void run() {
      Object outcome = Guard.attempt(Supplier::get, work);
      end(outcome == null ? Fault.internal("the work that ran returned no value") : outcome);
    }

    /** Settles work that never started, because a thread may wait for it. */
    void giveUp() {
      end(Fault.cancelled(CancelReason.SHUTDOWN, "the workers were closed before this work began"));
    }

    private void end(Object outcome) {
      if (!Boolean.FALSE.equals(Guard.attempt(result::settle, outcome))) {
        count(-1);
      }
    }
  }

  private Workers(@Nullable ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * Creates {@code count} threads named {@code name-1}, {@code name-2} and so on, started on
   * demand.
   */
  public static Workers of(int count, String name) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return new Workers(pool);
  }

  /**
   * No threads: a waiting thread runs the work, in the order of submission. Closing gives up at
   * once the work that no thread has waited for.
   */
  public static Workers ofWaiter() {
    return new Workers(null);
  }

  /**
   * Runs {@code work} on a worker. What it returns or throws settles the result; null settles it
   * with a fault. If the work has not begun when the grace of {@link #close} is over, close settles
   * the result with a fault.
   */
  public Pending submit(Supplier<Object> work) {
    Objects.requireNonNull(work, "work");
    Guard.ROOM.require();
    Job job = new Job(work);
    count(1);
    if (threads == null) {
      queue.add(job);
      if (closed) {
        giveUpQueued();
      }
      return job.result;
    }
    try {
      threads.execute(job);
    } catch (RejectedExecutionException e) {
      job.giveUp();
    } catch (OutOfMemoryError e) { // the system has no thread to spare
      job.end(Fault.thrown(e));
    }
    return job.result;
  }

  private void count(int change) {
    lock.lock();
    try {
      inFlight += change;
      if (inFlight == 0) {
        quiet.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for {@code value} as {@link Pending#await} does, and meanwhile runs work that has no
   * thread.
   */
  public Object await(Pending value, CancelScope scope) {
    while (threads == null && value.arrived() == null && scope.check() == null) {
      Job next = queue.poll();
      if (next == null) {
        break;
      }
      next.run();
    }
    return value.await(scope);
  }

  /**
   * Waits until no submitted work is waiting or running, even if interrupted. Must not be called by
   * submitted work, which would wait for itself.
   */
  public void quiesce() {
    for (Job next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
    lock.lock();
    try {
      while (inFlight > 0) {
        quiet.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    close(GRACE);
  }

  /** As {@link #close()}, with a different grace. */
  void close(Duration grace) {
    closed = true;
    if (threads == null) {
      giveUpQueued();
    } else {
      close(threads, grace);
    }
  }

  private void giveUpQueued() {
    for (Job left = queue.poll(); left != null; left = queue.poll()) {
      left.giveUp();
    }
  }

  private static void close(ExecutorService threads, Duration grace) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CancelScope.nanos(grace), TimeUnit.NANOSECONDS)) {
        giveUpAll(threads);
      }
    } catch (InterruptedException e) {
      giveUpAll(threads);
      Thread.currentThread().interrupt();
    }
  }

  private static void giveUpAll(ExecutorService threads) {
    for (Runnable left : threads.shutdownNow()) {
      if (left instanceof Job job) {
        job.giveUp();
      }
    }
  }
}
