package dev.staunch.fault;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Events of a {@link Reach} that happen once, whichever thread causes them. */
public final class ReachOnce {
  private ReachOnce() {}

  /** Two threads read a fault while another registers a callback. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "told once, and read")
  @State
  public static class ToldOnce {
    private final Reach reach = new Reach();
    private final AtomicInteger told = new AtomicInteger();

    @Actor
    public void listen() {
      reach.whenRead(told::incrementAndGet);
    }

    @Actor
    public void one() {
      reach.markRead();
    }

    @Actor
    public void other() {
      reach.markRead();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = told.get();
      r.r2 = reach.isRead() ? 1 : 0;
    }
  }

  /** One thread enters a fault into the account. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them")
  @State
  public static class KnownToOne {
    private final Reach reach = new Reach();

    @Actor
    public void one(III_Result r) {
      r.r1 = reach.markKnown() ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = reach.markKnown() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = reach.isKnown() ? 1 : 0;
    }
  }

  /** Skips through a fault and through its copy are counted together. */
  @JCStressTest
  @Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "each skip counts")
  @State
  public static class SkipsCount {
    private final Reach reach = new Reach();
    private final Reach copy = reach.copy();

    @Actor
    public void one() {
      reach.skip();
    }

    @Actor
    public void two() {
      reach.skip();
    }

    @Actor
    public void other() {
      copy.skip();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = (int) reach.skipped();
      r.r2 = (int) copy.skipped();
    }
  }
}
