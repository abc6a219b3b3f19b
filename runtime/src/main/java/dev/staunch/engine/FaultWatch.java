package dev.staunch.engine;

import dev.staunch.fault.Reach;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;

/**
 * Notices when a fault can no longer be read (F10). Runs one daemon thread, from the engine's first
 * fault until the engine is closed or unreachable.
 */
final class FaultWatch {
  private static final long LOOK_MILLIS = 10_000;

  /** A watched fault; {@link #lost} is called when its reach becomes unreachable. */
  abstract static class Watched extends PhantomReference<Reach> {
    Watched(Reach reach, FaultWatch watch) {
      super(reach, watch.unreachable);
    }

    abstract void lost();
  }

  private final ReferenceQueue<Reach> unreachable = new ReferenceQueue<>();
  private final String name;
  private volatile boolean started;
  private boolean closed;
  private Thread thread = Thread.currentThread();

  FaultWatch(String name) {
    this.name = name;
  }

  /** Called when there is something to watch. */
  void start() {
    if (!started) {
      startOnce();
    }
  }

  private synchronized void startOnce() {
    if (started || closed) {
      return;
    }
    WeakReference<FaultWatch> home = new WeakReference<>(this);
    ReferenceQueue<Reach> queue = unreachable;
    Thread made = new Thread(() -> look(home, queue), name);
    made.setDaemon(true);
    made.start();
    thread = made;
    started = true;
  }

  private static void look(WeakReference<FaultWatch> home, ReferenceQueue<Reach> queue) {
    while (isOpen(home)) {
      Guard.run(FaultWatch::tellNext, queue); // only the end of the engine ends this loop
    }
  }

  private static void tellNext(ReferenceQueue<Reach> queue) {
    try {
      Reference<? extends Reach> found = queue.remove(LOOK_MILLIS);
      if (found instanceof Watched fault) {
        fault.lost();
      }
    } catch (InterruptedException e) {
      // a close, or a handler that interrupts its own thread
    }
  }

  /**
   * Runs {@code telling}, which calls user code, on a thread of its own; returns when it has
   * finished or {@code most} has passed.
   */
  void tell(Runnable telling, Duration most) {
    Thread teller = new Thread(telling, name);
    teller.setDaemon(true);
    if (Guard.run(Thread::start, teller) != null) {
      telling.run(); // the system has no thread to spare
      return;
    }
    long end = System.nanoTime() + most.toNanos();
    boolean interrupted = false;
    while (teller.isAlive() && System.nanoTime() - end < 0) {
      try {
        teller.join(Duration.ofNanos(end - System.nanoTime()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isOpen(WeakReference<FaultWatch> home) {
    FaultWatch watch = home.get();
    return watch != null && !watch.isClosed();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
    if (started) {
      thread.interrupt();
    }
  }
}
