package dev.staunch.engine;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.jvm.CatchClauses;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks in the order that the variables they read and write require, and otherwise at once.
 * Any thread may push, through an {@link EngineContext}. Thread-safe.
 *
 * <p>Closing shuts the engine down. Tasks that have not started when the grace is over are given up
 * with a fault that says so. A task that never ends blocks neither the caller nor the process.
 */
public final class Engine implements AutoCloseable {
  /** How long {@link #close()} lets running tasks continue. */
  public static final Duration GRACE = Duration.ofSeconds(2);

  /** How long the handler of unread faults may delay a close. */
  static final Duration TELLING = Duration.ofSeconds(1);

  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The time to the next sweep is at least this many times as long as the last sweep took. */
  private static final int SWEEP_PATIENCE = 4;

  static {
    CatchClauses.prepare();
  }

  private final EngineOptions options;
  private final Scheduler scheduler;
  private final FaultWatch watch;
  private final AtomicLong contextIds = new AtomicLong();
  private final Set<EngineContext> contexts = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextSweep = new AtomicLong(System.nanoTime());
  private volatile @Nullable Fault ended;

  private Engine(EngineOptions options) {
    this.options = options;
    this.scheduler = options.scheduler();
    this.watch = new FaultWatch(options.name() + "-unread");
  }

  public static Engine start(EngineOptions options) {
    return new Engine(options);
  }

  public EngineOptions options() {
    return options;
  }

  /**
   * A context with its own order and faults; the caller closes it. A context of a closed engine
   * refuses all work, as do the engine's other contexts.
   */
  public EngineContext open(String name) {
    EngineContext context =
        new EngineContext(
            this,
            contextIds.incrementAndGet(),
            name,
            new UnreadFaults(watch, options.unreadFaults()));
    contexts.add(context);
    Fault end = ended;
    if (end != null) {
      context.end(end);
    }
    return context;
  }

  /**
   * Settles the work of scopes whose deadline has passed, in all contexts, because one may wait for
   * work that another pushed. The first caller sweeps at once, and the others rely on it.
   */
  void sweep() {
    long begun = System.nanoTime();
    long due = nextSweep.get();
    if (begun - due < 0 || !nextSweep.compareAndSet(due, begun + SWEEP_NANOS)) {
      return;
    }
    contexts.forEach(EngineContext::sweep);
    long end = System.nanoTime();
    nextSweep.set(end + Math.max(SWEEP_NANOS, SWEEP_PATIENCE * (end - begun)));
  }

  Scheduler scheduler() {
    return scheduler;
  }

  FaultWatch watch() {
    return watch;
  }

  void forget(EngineContext context) {
    contexts.remove(context);
  }

  @Override
  public void close() {
    close(GRACE);
  }

  /**
   * Lets pushed tasks finish for at most {@code grace}, gives up those that have not started by
   * then, and ends the threads. An interrupt ends the grace, and the thread's interrupt flag stays
   * set. Returns whether no task is still running; a task that runs on the thread of its caller may
   * go uncounted.
   */
  public boolean close(Duration grace) {
    Guard.ROOM.require();
    long begun = System.nanoTime();
    long nanos = CancelScope.nanos(grace);
    CancelScope patience = CancelScope.withDeadline(grace);
    contexts.forEach(context -> context.drain(patience));
    Fault fault = Fault.cancelled(CancelReason.SHUTDOWN, "the engine was closed");
    ended = fault;
    contexts.forEach(context -> context.shutDown(fault));
    scheduler.close(Duration.ofNanos(Math.max(0, nanos - (System.nanoTime() - begun))));
    boolean quiet = contexts.stream().allMatch(EngineContext::isQuiet);
    long telling = System.nanoTime();
    contexts.forEach(
        context -> context.tellUnread(TELLING.minusNanos(System.nanoTime() - telling)));
    contexts.removeIf(EngineContext::isQuiet);
    watch.close();
    return quiet;
  }
}
