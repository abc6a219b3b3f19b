package dev.staunch.data;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition of a lock. One who waits for it looks out for a moment before it parks, for to park
 * and to be woken takes both sides longer than most batches do. All is called with the lock held.
 */
final class Bell {
  /** About what a park and its end cost, so that looking in vain at most doubles that. */
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

  /** Wakes all who wait. */
  void ring() {
    rings.setRelease(rings.getPlain() + 1);
    condition.signalAll();
  }

  /**
   * Waits for a ring, without the lock; ends after {@code nanos}, or sooner for no reason.
   *
   * @throws InterruptedException if the thread was interrupted and nobody rang
   */
  @SuppressWarnings("WaitNotInLoop") // who waits here loops
  void await(long nanos) throws InterruptedException {
    int heard = rings.getPlain();
    if (SPARE_PROCESSOR && !watched) {
      watched = true; // one looks out, the others sleep
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

  /** Yields, for who is to ring, or the compiler, may need the processor. */
  @SuppressWarnings("ThreadPriorityCheck") // no more than a hint
  private void lookOut(int heard) {
    long end = System.nanoTime() + LOOKOUT_NANOS;
    while (rings.getAcquire() == heard && System.nanoTime() - end < 0) {
      Thread.yield();
    }
  }
}
