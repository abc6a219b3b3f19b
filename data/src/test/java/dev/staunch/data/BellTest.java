package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring reaches a thread that spins, a thread that sleeps, and a thread between the two. */
@Timeout(60)
class BellTest {
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Bell bell = new Bell(lock);
  private int turn;

  private <T> T locked(Callable<T> work) throws Exception {
    lock.lock();
    try {
      return work.call();
    } finally {
      lock.unlock();
    }
  }

  private FutureTask<String> waiter(long nanos) {
    return new FutureTask<>(() ->
        locked(() -> {
          bell.await(nanos);
          return lock.isHeldByCurrentThread() ? "with the lock" : "without";
        }));
  }

  private void ring() throws Exception {
    locked(() -> {
      turn++;
      bell.ring();
      return turn;
    });
  }

  private static void awaitSleep(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void allWhoSleepAreWokenAndHaveTheLock() throws Exception {
    FutureTask<String> first = waiter(LONG_NANOS);
    FutureTask<String> second = waiter(LONG_NANOS);
    awaitSleep(Thread.ofPlatform().start(first));
    awaitSleep(Thread.ofPlatform().start(second));
    ring();
    assertEquals("with the lock", first.get());
    assertEquals("with the lock", second.get());
  }

  @Test
  void noRingIsLostBetweenTheLookOutAndTheSleep() throws Exception {
    int turns = 20_000;
    FutureTask<Integer> other =
        new FutureTask<>(() -> {
          for (int i = 1; i < turns; i += 2) {
            takeTurn(i);
          }
          return turn;
        });
    Thread.ofPlatform().start(other);
    for (int i = 0; i < turns; i += 2) {
      takeTurn(i);
    }
    assertEquals(turns, other.get());
  }

  /** Waits for turn {@code mine}; after a lost ring it would wait for an hour. */
  private void takeTurn(int mine) throws Exception {
    locked(() -> {
      while (turn != mine) {
        bell.await(LONG_NANOS);
      }
      return null;
    });
    ring();
  }

  @Test
  void aWaitThatNobodyEndsIsOverAfterItsTime() throws Exception {
    FutureTask<String> patient = waiter(1);
    patient.run();
    assertEquals("with the lock", patient.get());
  }

  @Test
  void anInterruptEndsTheWaitWithTheLockHeld() throws Exception {
    FutureTask<Object> waiter =
        new FutureTask<>(() ->
            locked(() -> {
              try {
                bell.await(LONG_NANOS);
                return "no interrupt";
              } catch (InterruptedException e) {
                assertTrue(lock.isHeldByCurrentThread());
                return e;
              }
            }));
    Thread thread = Thread.ofPlatform().start(waiter);
    thread.interrupt();
    assertInstanceOf(InterruptedException.class, waiter.get());
    assertFalse(lock.isLocked());
  }
}
