package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@link WaitWatch}: while any thread waits, one watches (E4). Here the watching thread returns at
 * once and leaves; a waiter that nobody notifies sleeps for a minute, and reports that.
 */
public final class WatchHandedOn {
  private static final Duration NEVER = Duration.ofMinutes(1);

  private WatchHandedOn() {}

  private static WaitWatch watch() {
    return new WaitWatch(Duration.ofNanos(1), NEVER);
  }

  /** Waits once; returns 1 if it slept for as long as a waiter that nobody wakes. */
  private static int wait(WaitWatch watch) {
    watch.enter();
    long begun = System.nanoTime();
    watch.park(watch, false, Long.MAX_VALUE);
    int lost = System.nanoTime() - begun >= NEVER.toNanos() ? 1 : 0;
    watch.leave();
    return lost;
  }

  /** One thread leaves, without having slept, as the other parks. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nobody is lost")
  @State
  public static class OneLeavesAsOneParks {
    private final WaitWatch watch = watch();

    @Actor
    public void leaves(II_Result r) {
      watch.enter();
      LockSupport.unpark(Thread.currentThread()); // so that its park returns at once
      watch.park(watch, false, Long.MAX_VALUE);
      watch.leave();
    }

    @Actor
    public void parks(II_Result r) {
      r.r2 = WatchHandedOn.wait(watch);
    }
  }

  /** Three threads wait; each that leaves hands the watch on, whichever of them had it. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "nobody is lost")
  @State
  public static class ThreeWait {
    private final WaitWatch watch = watch();

    @Actor
    public void one(III_Result r) {
      r.r1 = WatchHandedOn.wait(watch);
    }

    @Actor
    public void two(III_Result r) {
      r.r2 = WatchHandedOn.wait(watch);
    }

    @Actor
    public void three(III_Result r) {
      r.r3 = WatchHandedOn.wait(watch);
    }
  }
}
