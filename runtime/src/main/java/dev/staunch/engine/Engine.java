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
 * Runs tasks in the order that the variables they read and write demand, and otherwise at once. Any
 * thread may push, through an {@link EngineContext}. Thread-safe.
 *
 * <p>Closing ends it: what has not started when the grace is over is given up with a fault that
 * says so, and a task that never ends keeps neither the caller nor the process.
 */
public final class Engine implements AutoCloseable {
  /** How long {@link #close()} lets running tasks go on. */
  public static final Duration GRACE = Duration.ofSeconds(2);

  /** How long the handler of unread faults may keep a close. */
  static final Duration TELLING = Duration.ofSeconds(1);

  private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How many times as long as a sweep the time to the next one is, at least. */
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
   * A context of its own order and faults; whoever opens it closes it. That of a closed engine
   * refuses all work, as the others do then.
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
   * Settles what belongs to scopes whose deadline has passed, in all contexts, for one may wait for
   * what another has pushed; at once for whoever comes first, the others have it done for them.
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
   * Lets pushed tasks finish for at most {@code grace}, gives up those that have not started then,
   * and ends the threads. An interrupt ends the grace, and the thread's flag stays set. Returns
   * whether no task is still running; one that runs where it was called, on the thread of somebody
   * else, may go uncounted.
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
