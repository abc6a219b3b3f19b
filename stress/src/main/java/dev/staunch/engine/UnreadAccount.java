package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * {@link UnreadFaults}: no fault is lost, and none is reported twice (F10); the first reason stays.
 */
public final class UnreadAccount {
  private static final FaultWatch WATCH = new FaultWatch("stress-unread");

  private UnreadAccount() {}

  /** A fault arises while a wait takes all and the context closes. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "taken by the wait or handed to the handler")
  @State
  public static class TakenOrHanded {
    private final AtomicInteger handed = new AtomicInteger();
    private final UnreadFaults unread = new UnreadFaults(WATCH, fault -> handed.incrementAndGet());

    /**
     * Kept reachable, because an unreachable fault is handed over at once, and still left for a
     * wait.
     */
    private final Fault fault = Fault.value("arises");

    @Actor
    public void arise() {
      unread.add(fault);
    }

    @Actor
    public void wait(III_Result r) {
      r.r1 = unread.takeAll().size();
    }

    @Actor
    public void close() {
      unread.handOver(unread.close(), unread.isToldElsewhere());
    }

    @Arbiter
    public void after(III_Result r) {
      try {
        r.r2 = handed.get();
        r.r3 = unread.takeAll().size();
      } finally {
        Reference.reachabilityFence(fault);
      }
    }
  }

  /** A fault is read while it arises and the context closes. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 0"},
      expect = ACCEPTABLE,
      desc = "handed over at most once, kept no longer")
  @State
  public static class ReadAsItArises {
    private final AtomicInteger handed = new AtomicInteger();
    private final UnreadFaults unread = new UnreadFaults(WATCH, fault -> handed.incrementAndGet());
    private final Fault fault = Fault.value("arises");

    @Actor
    public void arise() {
      unread.add(fault);
    }

    @Actor
    public void read() {
      fault.markRead();
    }

    @Actor
    public void close() {
      unread.handOver(unread.close(), unread.isToldElsewhere());
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = handed.get();
      r.r2 = unread.takeAll().size();
    }
  }

  /** A fault is read while it arises: it is removed from the account. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "not in the account")
  @State
  public static class StruckOff {
    private final UnreadFaults unread = new UnreadFaults(WATCH, fault -> {});
    private final Fault fault = Fault.value("arises");

    @Actor
    public void arise() {
      unread.add(fault);
    }

    @Actor
    public void read() {
      fault.markRead();
    }

    @Arbiter
    public void after(I_Result r) {
      r.r1 = unread.takeAll().size();
    }
  }

  /** Two threads cancel a scope: the first reason counts for everybody. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 2"},
      expect = ACCEPTABLE,
      desc = "the reason of the one that was told so")
  @State
  public static class FirstReason {
    private final CancelScope scope = CancelScope.open();

    @Actor
    public void one(III_Result r) {
      r.r1 = scope.cancel(CancelReason.USER, "1") ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = scope.cancel(CancelReason.CLIENT_GONE, "2") ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      Fault seen = scope.child().check();
      r.r3 = seen == null ? 0 : seen.message().endsWith("1") ? 1 : 2;
    }
  }

  /** A value is settled by two threads while another registers a callback. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one settles it, the other is told once")
  @State
  public static class SettledOnce {
    private final Pending pending = new Pending();
    private final AtomicInteger told = new AtomicInteger();

    @Actor
    public void one(III_Result r) {
      r.r1 = pending.settle("one") ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = pending.settle("other") ? 1 : 0;
    }

    @Actor
    public void listen() {
      pending.whenSettled(told::incrementAndGet);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = told.get();
    }
  }
}
