package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Named daemon threads that run work which was put off (E8). Nothing that a task throws ends a
 * worker. Closing waits a little for running tasks and never keeps the process from ending.
 */
public final class Workers implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(2);
  private final ExecutorService threads;
  private final Phaser inFlight = new Phaser(1);

  private Workers(ExecutorService threads) {
    this.threads = threads;
  }

  /** {@code count} threads called {@code name-1}, {@code name-2} and so on, started on demand. */
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

  /** Runs {@code work} on a worker; what it returns or throws settles the result. */
  public Pending submit(Supplier<Object> work) {
    Pending result = new Pending();
    inFlight.register();
    try {
      threads.execute(() -> {
        Object outcome = Guard.attempt(Supplier::get, work);
        Guard.attempt(result::settle, outcome);
        inFlight.arriveAndDeregister();
      });
    } catch (RejectedExecutionException e) {
      inFlight.arriveAndDeregister();
      result.settle(Fault.of(FaultType.CANCELLED, "the workers were shut down").withCause(e));
    }
    return result;
  }

  /** Waits until no submitted work is waiting or running. */
  public void quiesce() {
    inFlight.arriveAndAwaitAdvance();
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
