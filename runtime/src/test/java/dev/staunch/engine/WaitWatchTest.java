package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One waiter watches for all, and is relieved when it leaves (C5, E4). */
@Timeout(60)
class WaitWatchTest {
  private static final Duration NEVER = Duration.ofDays(1);

  /** A waiter that parks {@code times} times, without anyone waking it, and then leaves. */
  private static Thread watcher(WaitWatch watch, int times, AtomicInteger watched) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          watch.enter();
          for (int i = 0; i < times; i++) {
            watch.park(watch, false, Long.MAX_VALUE);
          }
          watched.incrementAndGet();
          watch.leave();
        });
  }

  @Test
  void whoeverWatchesWakesAndHandsTheWatchOnWhenItLeaves() {
    WaitWatch watch = new WaitWatch(Duration.ofNanos(1), NEVER);
    AtomicInteger watched = new AtomicInteger();
    List<Thread> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(watcher(watch, 50, watched));
    }
    for (Thread waiter : waiters) {
      Trial.join(waiter);
      assertFalse(waiter.isAlive(), () -> watched + " have watched, the others sleep for ever");
    }
  }

  @Test
  void whoSleepsWakesForItsOwnDeadlineAndWhenItIsWoken() {
    WaitWatch watch = new WaitWatch(NEVER, NEVER);
    watch.enter();
    watch.park(watch, false, 1_000);
    watch.park(watch, true, -1);
    LockSupport.unpark(Thread.currentThread());
    watch.park(watch, false, Long.MAX_VALUE);
    watch.leave();
  }
}
