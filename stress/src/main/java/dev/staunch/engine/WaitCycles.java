package dev.staunch.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link WaitGraph}: a cycle of waits is found, and none is reported that never existed (E3). */
public final class WaitCycles {
  private static final Engine ENGINE =
      Engine.start(EngineOptions.threaded(1).withNoteSources(false).withUnreadFaults(fault -> {}));

  private WaitCycles() {}

  /** Two threads come and go: each finds its own wait while it has one, and nothing afterwards. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each found its own, and nothing is left")
  @State
  public static class EachHasItsOwn {
    private final WaitGraph graph = new WaitGraph();
    private final Variable variable = new Variable();
    private final Turn one = new Turn(Uses.updating(variable));
    private final Turn other = new Turn(Uses.updating(variable));

    private int wait(Turn task) {
      graph.enter(task);
      WaitGraph.Wait wait = graph.add(task, null);
      boolean found =
          wait == graph.of(Thread.currentThread()) && graph.waitingUsersOf(variable).contains(task);
      graph.remove(wait);
      graph.leave();
      boolean gone = graph.of(Thread.currentThread()) == null;
      boolean outside = !graph.add(task, null).mayCloseCycle();
      return found && gone && outside ? 1 : 0;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = wait(one);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = wait(other);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = graph.waitingUsersOf(variable).size();
    }
  }

  /** Two tasks begin to wait for each other: the later one is told. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one is told, or both")
  @State
  public static class ForEachOther {
    private final WaitGraph graph = new WaitGraph(0);
    private final Turn one = new Turn(Uses.NONE);
    private final Turn other = new Turn(Uses.NONE);

    /**
     * Returns 1 if the caller, which runs {@code own}, is told that it waits in vain for {@code
     * goal}.
     */
    private int wait(Turn own, Turn goal) {
      own.start();
      graph.enter(own);
      WaitGraph.Wait wait = graph.add(goal, null);
      boolean told = CycleSearch.cycle(graph, wait) != null; // one search is not enough
      told |= CycleSearch.cycle(graph, wait) != null;
      return told ? 1 : 0;
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = wait(one, other);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = wait(other, one);
    }
  }

  /**
   * One task waits for a second, which sometimes waits for a third; the third waits for the first
   * only when the second does not wait. A search may see a cycle that never existed, put together
   * from several moments. Other tasks are between the first and the last that it sees, so that it
   * takes a while.
   */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "nobody is told of a cycle")
  @State
  public static class NeverAtOnce {
    private static final int LOOKS = 20;
    private static final int ROUNDS = 100;
    private static final int BETWEEN = 20;

    private final WaitGraph graph = new WaitGraph(0);
    private final EngineContext context = ENGINE.open("stress");
    private final Turn first = new Turn(Uses.NONE);
    private final Turn second = new Turn(Uses.NONE);
    private final Turn third = new Turn(Uses.NONE);
    private final AtomicBoolean oneWaits = new AtomicBoolean();

    public NeverAtOnce() {
      list(second);
      for (int i = 0; i < BETWEEN; i++) {
        list(new Turn(Uses.NONE));
      }
    }

    private void list(Turn goal) {
      context.bind(goal);
      context.list(goal);
    }

    @Actor
    public void first(I_Result r) {
      first.start();
      graph.enter(first);
      WaitGraph.Wait wait = graph.add(context.unfinished(), Long.MAX_VALUE, null);
      for (int i = 0; i < LOOKS; i++) {
        r.r1 += CycleSearch.cycle(graph, wait) == null ? 0 : 1;
      }
    }

    @Actor
    public void second() {
      waitNowAndThen(second, third);
    }

    @Actor
    public void third() {
      waitNowAndThen(third, first);
    }

    private void waitNowAndThen(Turn own, Turn goal) {
      own.start();
      graph.enter(own);
      for (int i = 0; i < ROUNDS; i++) {
        if (oneWaits.compareAndSet(false, true)) {
          graph.remove(graph.add(goal, null));
          oneWaits.set(false);
        }
      }
    }

    @Arbiter
    public void after() {
      context.unfinished().all().forEach(context.unfinished()::remove);
      context.close();
    }
  }
}
