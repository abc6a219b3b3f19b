package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.fault.Fault;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A {@link Task} is run or given up, settled once, and its turns end (C2, C3). */
public final class TaskOutcome {
  private static final Engine ENGINE =
      Engine.start(EngineOptions.threaded(1).withNoteSources(false).withUnreadFaults(fault -> {}));
  private static final EngineContext CONTEXT = ENGINE.open("stress");

  private TaskOutcome() {}

  /** A task is either started by one thread or given up by another. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0", "0, 0, 1"},
      expect = ACCEPTABLE,
      desc = "one of the three")
  @State
  public static class StartedOrGivenUp {
    private final Turn task = new Turn(Uses.NONE);
    private final Fault why = Fault.value("given up");

    @Actor
    public void starter(III_Result r) {
      r.r1 = task.start() ? 1 : 0;
    }

    @Actor
    public void one(III_Result r) {
      r.r2 = task.giveUp(why) ? 1 : 0;
    }

    @Actor
    public void other(III_Result r) {
      r.r3 = task.giveUp(why) ? 1 : 0;
    }
  }

  /** The last of several turns is noticed by exactly one of the threads that grant them. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0", "0, 0, 1"},
      expect = ACCEPTABLE,
      desc = "one finds it ready")
  @State
  public static class LastTurnGranted {
    private final Turn task = new Turn(Uses.NONE);

    public LastTurnGranted() {
      task.expect(3);
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = task.granted(1) ? 1 : 0;
    }

    @Actor
    public void two(III_Result r) {
      r.r2 = task.granted(1) ? 1 : 0;
    }

    @Actor
    public void three(III_Result r) {
      r.r3 = task.granted(1) ? 1 : 0;
    }
  }

  /** A queued task is given up while the one before it ends. */
  @JCStressTest
  @Outcome(
      id = {"0, 1, 2, 1", "1, 1, 2, 1"},
      expect = ACCEPTABLE,
      desc = "run or not, settled once, both turns over, the variable free")
  @State
  public static class GivenUpAsItsTurnComes {
    private final Variable variable = new Variable();
    private final Turn holder = Turn.byHand(CONTEXT, variable);
    private final Turn next = Turn.byHand(CONTEXT, variable);
    private final Fault why = Fault.value("given up");

    public GivenUpAsItsTurnComes() {
      CONTEXT.list(holder);
      ENGINE.scheduler().enqueue(holder);
      CONTEXT.list(next);
      ENGINE.scheduler().enqueue(next);
    }

    @Actor
    public void end() {
      ENGINE.scheduler().run(holder);
    }

    @Actor
    public void giveUp() {
      ENGINE.scheduler().giveUp(next, why);
    }

    @Actor
    public void start() {
      if (next.isReady()) {
        ENGINE.scheduler().run(next);
      }
    }

    @Arbiter
    public void after(IIII_Result r) {
      why.markRead();
      r.r1 = next.runs();
      r.r2 = next.timesSettled();
      r.r3 = (int) variable.version();
      r.r4 = variable.tryTake(holder, true) ? 1 : 0;
    }
  }

  /** A task is given up while it is being queued. */
  @JCStressTest
  @Outcome(
      id = {"0, 1, 1, 1", "1, 1, 1, 1"},
      expect = ACCEPTABLE,
      desc = "run or not, settled once, its turn over, the variable free")
  @State
  public static class GivenUpWhileQueued {
    private final Variable variable = new Variable();
    private final Turn task = Turn.byHand(CONTEXT, variable);
    private final Fault why = Fault.value("given up");

    @Actor
    public void push() {
      CONTEXT.list(task);
      if (ENGINE.scheduler().enqueue(task)) {
        ENGINE.scheduler().run(task);
      }
    }

    @Actor
    public void giveUp() {
      ENGINE.scheduler().giveUp(task, why);
    }

    @Arbiter
    public void after(IIII_Result r) {
      why.markRead();
      r.r1 = task.runs();
      r.r2 = task.timesSettled();
      r.r3 = (int) variable.version();
      r.r4 = variable.tryTake(task, true) ? 1 : 0;
    }
  }

  /** A task that has to wait for its turn is pushed while its scope is cancelled. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "settled, and not run, though no turn ended")
  @State
  public static class PushedAsItsScopeIsCancelled {
    private final EngineContext context = ENGINE.open("stress");
    private final CancelScope scope = CancelScope.open();
    private final Variable variable = new Variable();
    private final Turn holder = Turn.byHand(context, variable);
    private final Turn pushed = new Turn(Uses.updating(variable));

    public PushedAsItsScopeIsCancelled() {
      context.list(holder);
      ENGINE.scheduler().enqueue(holder);
    }

    @Actor
    public void push() {
      context.push(pushed.in(scope));
    }

    @Actor
    public void cancel() {
      scope.cancel("stress");
    }

    @Arbiter
    public void after(II_Result r) {
      Fault why = scope.check();
      if (why != null) {
        why.markRead();
      }
      r.r1 = pushed.runs();
      r.r2 = pushed.timesSettled();
      ENGINE.scheduler().run(holder);
      context.close();
    }
  }

  /** Two threads push over the same variables in opposite orders (E2). */
  @JCStressTest
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "both ran, alone, and all is over")
  @State
  public static class OppositeOrders {
    private final Variable a = new Variable();
    private final Variable b = new Variable();
    private int count;

    @Actor
    public void one() {
      CONTEXT.push(new Turn(Uses.updating(a, b), () -> count++));
    }

    @Actor
    public void other() {
      CONTEXT.push(new Turn(Uses.updating(b, a), () -> count++));
    }

    @Arbiter
    public void after(III_Result r) {
      CONTEXT.waitFor(a);
      CONTEXT.waitFor(b);
      r.r1 = count;
      r.r2 = (int) a.version();
      r.r3 = (int) b.version();
    }
  }
}
