package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIIII_Result;

/** A part of a {@link Segment} is cancelled while the rest runs (C3, F11). */
public final class SegmentParts {
  private static final Engine ENGINE =
      Engine.start(EngineOptions.threaded(1).withNoteSources(false).withUnreadFaults(fault -> {}));
  private static final EngineContext CONTEXT = ENGINE.open("stress");

  private SegmentParts() {}

  /** The turn that only the cancelled part needs ends once, and a later write lasts. */
  @JCStressTest
  @Outcome(
      id = {"0, 1, 1, 2, 1", "1, 1, 1, 2, 1"},
      expect = ACCEPTABLE,
      desc = "the part ran or not, each settled once, both variables written, the last write good")
  @State
  public static class CancelledAsTheSegmentRuns {
    private final Variable lost = new Variable();
    private final Variable kept = new Variable();
    private final CancelScope scope = CancelScope.open();
    private final Turn cancelled = new Turn(Uses.updating(lost));
    private final Turn other = new Turn(Uses.updating(kept));
    private final Segment segment = new Segment(List.of(cancelled.in(scope), other));
    private final Turn healer = Turn.byHand(CONTEXT, Uses.writing(lost));

    public CancelledAsTheSegmentRuns() {
      segment.bind(CONTEXT);
      CONTEXT.bind(segment);
      segment.waiter = Thread.currentThread();
      ENGINE.scheduler().enqueue(segment);
      ENGINE.scheduler().enqueue(healer);
    }

    @Actor
    public void cancel() {
      scope.cancel("enough");
      CONTEXT.settleIfCancelled(segment);
    }

    @Actor
    public void run() {
      ENGINE.scheduler().run(segment);
    }

    @Actor
    public void heal() {
      if (healer.isReady()) {
        ENGINE.scheduler().run(healer);
      }
    }

    @Arbiter
    public void after(IIIII_Result r) {
      ENGINE.scheduler().run(healer);
      r.r1 = cancelled.runs();
      r.r2 = cancelled.timesSettled();
      r.r3 = other.runs();
      r.r4 = (int) lost.version();
      r.r5 =
          lost.fault() == null && lost.tryTake(healer, true) && kept.tryTake(other, true) ? 1 : 0;
    }
  }
}
