package dev.staunch.memory;

import java.lang.System.Logger;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Releases what became unreachable: one daemon thread for each off-heap memory, started with its
 * first scope. It ends when the memory is closed or abandoned and nothing is held any more. No
 * failure of a resource or a listener ends it.
 */
final class Reaper {
  /** Other tasks of the reaper, for its memory. */
  interface Chores {
    void tick();

    boolean isIdle();

    long trim();

    MemoryMetrics metrics();
  }

  /** Is enqueued when the memory's handle is no longer reachable. */
  static final class Abandoned extends PhantomReference<Object> {
    Abandoned(Object memory, ReferenceQueue<Object> queue) {
      super(memory, queue);
    }
  }

  /** Serves only to wake the thread. */
  private static final class Wake extends WeakReference<Object> {
    Wake(ReferenceQueue<Object> queue) {
      super(new Object(), queue);
    }
  }

  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final long LAST_PAUSE_MILLIS = 500;

  private final Chores chores;
  private final CollectionRequests collections;
  private final LeakWatch leaks;
  private final ReferenceQueue<Object> queue;
  private final AtomicInteger inHand = new AtomicInteger();
  private volatile boolean started;
  private volatile @Nullable Thread thread;
  private volatile boolean ending;

  /** Supplies flight recordings with the memory's figures, as long as this thread lives. */
  private final Runnable figures;

  private boolean recorded; // confined to this thread
  private boolean over; // confined to this thread

  Reaper(
      Chores chores,
      CollectionRequests collections,
      LeakWatch leaks,
      ReferenceQueue<Object> queue) {
    this.chores = chores;
    this.collections = collections;
    this.leaks = leaks;
    this.queue = queue;
    this.figures = () -> FlightEvents.figures(chores.metrics());
  }

  void start() {
    if (!started) {
      startOnce();
    }
  }

  private synchronized void startOnce() {
    if (!started) {
      Thread fresh =
          Thread.ofPlatform()
              .daemon()
              .name("staunch-reaper")
              .inheritInheritableThreadLocals(false)
              .unstarted(this::run);
      fresh.start();
      thread = fresh;
      started = true;
    }
  }

  void wake() {
    new Wake(queue).enqueue();
  }

  /** Lets the thread end as soon as nothing is held. */
  void end() {
    ending = true;
    wake();
  }

  private void run() {
    Runnable step = this::reapOrWait; // allocated once: later the heap may have no room for it
    while (!over) {
      endsWell(step);
    }
    if (recorded) {
      FlightEvents.removeFigures(figures);
    }
    chores.trim();
  }

  private void reapOrWait() {
    over = ending && chores.isIdle();
    if (over) {
      return;
    }
    recorded = recorded || FlightEvents.addFigures(figures);
    try {
      Reference<?> found = queue.remove(pauseMillis());
      if (found != null) {
        handle(found);
      }
    } catch (InterruptedException e) {
      // no code has a reason to interrupt this thread: go on
    }
    chores.tick();
  }

  /**
   * Runs {@code step}; returns false if it threw. That is logged, and nothing is thrown even if the
   * log throws.
   */
  private static boolean endsWell(Runnable step) {
    try {
      Throwable failure = Attempts.thrownBy(step);
      if (failure == null) {
        return true;
      }
      Attempts.thrownBy(() -> complain(failure));
      return false;
    } catch (VirtualMachineError | LinkageError e) {
      return true; // no room for an attempt, or to link it: what it was to do stays in the queue
    }
  }

  private static void complain(Throwable failure) {
    System.getLogger(Reaper.class.getName())
        .log(Logger.Level.WARNING, "releasing an unreachable resource failed", failure);
  }

  private long pauseMillis() {
    return collections.pauseMillis(ending ? LAST_PAUSE_MILLIS : LONGEST_PAUSE_MILLIS);
  }

  /** Releases what the collector has found so far, on the calling thread. */
  void reapFound() {
    boolean done = false;
    while (!done) {
      done = endsWell(this::handleFound);
    }
  }

  private void handleFound() {
    for (Reference<?> found = queue.poll(); found != null; found = queue.poll()) {
      handle(found);
    }
  }

  /**
   * Waits a millisecond for the next find and releases it, along with anything else found; false if
   * there was none. An interrupt ends the wait, and the interrupt flag stays set.
   */
  boolean reapNext() {
    AtomicBoolean found = new AtomicBoolean();
    if (endsWell(() -> found.set(handleNext())) && !found.get()) {
      return false;
    }
    reapFound();
    return true;
  }

  private boolean handleNext() {
    try {
      Reference<?> found = queue.remove(1);
      if (found != null) {
        handle(found);
      }
      return found != null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Whether a thread may have taken something from the queue without having released it yet: the
   * reaper is not waiting for more, or a thread at its limit is reaping.
   */
  boolean isBusy() {
    Thread known = thread;
    return inHand.get() > 0 || (known != null && known.getState() == Thread.State.RUNNABLE);
  }

  private void handle(Reference<?> found) {
    inHand.getAndIncrement();
    try {
      release(found);
    } finally {
      inHand.getAndDecrement();
    }
  }

  private void release(Reference<?> found) {
    switch (found) {
      case Life life -> {
        collections.found();
        leaks.reap(life);
      }
      case Account.Abandoned scope -> scope.account.retire();
      case CollectionRequests.Sentinel sentinel -> sentinel.seen = true;
      case Abandoned memory -> ending = true;
      default -> {}
    }
  }
}
