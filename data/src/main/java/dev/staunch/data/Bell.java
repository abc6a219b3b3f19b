package dev.staunch.data;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition of a lock. One waiting thread spins for a moment before it parks, because parking and
 * waking takes both sides longer than most batches take. All methods are called with the lock held.
 */
final class Bell {
  /** About the cost of parking and waking, so that spinning in vain at most doubles it. */
  private static final long LOOKOUT_NANOS = 20_000;

  private static final boolean SPARE_PROCESSOR = Runtime.getRuntime().availableProcessors() > 1;

  private final ReentrantLock lock;
  private final Condition condition;
  private final AtomicInteger rings = new AtomicInteger();
  private boolean watched;

  Bell(ReentrantLock lock) {
    this.lock = lock;
    this.condition = lock.newCondition();
  }

  /** Wakes all waiting threads. */
  void ring() {
    rings.setRelease(rings.getPlain() + 1);
    condition.signalAll();
  }

  /**
   * Releases the lock and waits for a ring, for at most {@code nanos}; may wake spuriously.
   *
   * @throws InterruptedException if the thread was interrupted and nobody rang
   */
  @SuppressWarnings("WaitNotInLoop") // callers loop
  void await(long nanos) throws InterruptedException {
    int heard = rings.getPlain();
    if (SPARE_PROCESSOR && !watched) {
      watched = true; // one thread spins, the others sleep
      lock.unlock();
      try {
        lookOut(heard);
      } finally {
        lock.lock();
        watched = false;
      }
    }
    if (rings.getPlain() == heard) {
      condition.awaitNanos(nanos);
    }
  }

  /** Yields, because the ringing thread or the JIT compiler may need the processor. */
  @SuppressWarnings("ThreadPriorityCheck") // only a hint
  private void lookOut(int heard) {
    long end = System.nanoTime() + LOOKOUT_NANOS;
    while (rings.getAcquire() == heard && System.nanoTime() - end < 0) {
      Thread.yield();
    }
  }
}
