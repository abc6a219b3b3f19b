package dev.staunch.memory;

import java.lang.System.Logger;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Releases what became unreachable: one daemon thread for one off-heap memory, started with its
 * first resource. It ends when the memory is closed or abandoned and nothing is held any more; no
 * failure of a resource or a listener ends it.
 */
final class Reaper {
  /** Comes out of the queue when nobody can reach the {@link OffHeap} any more. */
  static final class Abandoned extends java.lang.ref.PhantomReference<OffHeap> {
    Abandoned(OffHeap memory, ReferenceQueue<Object> queue) {
      super(memory, queue);
    }
  }

  /** Only wakes the thread. */
  private static final class Wake extends WeakReference<Object> {
    Wake(ReferenceQueue<Object> queue) {
      super(new Object(), queue);
    }
  }

  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final long LAST_PAUSE_MILLIS = 500;

  private final MemoryCore core;
  private final ReferenceQueue<Object> queue;
  private volatile boolean started;
  private volatile boolean ending;

  Reaper(MemoryCore core, ReferenceQueue<Object> queue) {
    this.core = core;
    this.queue = queue;
  }

  void start() {
    if (!started) {
      startOnce();
    }
  }

  private synchronized void startOnce() {
    if (!started) {
      Thread.ofPlatform()
          .daemon()
          .name("staunch-reaper")
          .inheritInheritableThreadLocals(false)
          .start(this::run);
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
    while (!(ending && core.isIdle())) {
      try {
        Reference<?> found = queue.remove(pauseMillis());
        if (found != null) {
          handle(found);
        }
        core.tick();
      } catch (InterruptedException e) {
        // nobody has a reason to interrupt this thread: go on
      } catch (Exception | Error e) {
        complain(e);
      }
    }
    core.trim();
  }

  private static void complain(Throwable failure) {
    System.getLogger(Reaper.class.getName())
        .log(Logger.Level.WARNING, "releasing an unreachable resource failed", failure);
  }

  private long pauseMillis() {
    return core.collections().pauseMillis(ending ? LAST_PAUSE_MILLIS : LONGEST_PAUSE_MILLIS);
  }

  /** Releases what the collector has found so far, on the calling thread. */
  void reapFound() {
    for (Reference<?> found = queue.poll(); found != null; found = queue.poll()) {
      handleSafely(found);
    }
  }

  /** Waits a millisecond for the next find and releases it; false if there was none. */
  boolean reapNext() throws InterruptedException {
    Reference<?> found = queue.remove(1);
    if (found == null) {
      return false;
    }
    handleSafely(found);
    reapFound();
    return true;
  }

  private void handleSafely(Reference<?> found) {
    try {
      handle(found);
    } catch (Exception | Error e) {
      complain(e);
    }
  }

  private void handle(Reference<?> found) {
    switch (found) {
      case Life life -> core.leaks().reap(life);
      case ResourceScope.Abandoned scope -> scope.account.retire();
      case CollectionRequests.Sentinel sentinel -> sentinel.seen = true;
      case Abandoned memory -> ending = true;
      default -> {}
    }
  }
}
