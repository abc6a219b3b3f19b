package dev.staunch.execute;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.ir.Program;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link RunCache}: a run is one request's at a time, and is seen whole by the next (S6). */
public final class RunReuse {
  private static final Plan PLAN =
      Plan.prepare(new Program(List.of()), StandardOperations.catalog());

  private RunReuse() {}

  private static int numbered(@Nullable Run run) {
    return run == null ? 0 : run.depth;
  }

  private static Run run(int number) {
    Run run = new Run(PLAN);
    run.depth = number;
    return run;
  }

  /** Two requests at once find one run. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them has it")
  @State
  public static class TakenByTwo {
    private final RunCache cache = new RunCache(1);

    public TakenByTwo() {
      cache.give(run(1));
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = numbered(cache.take());
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = numbered(cache.take());
    }
  }

  /** One request ends and gives its run back, which has changed; two others begin. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 7", "7, 0, 0", "0, 7, 0", "0, 0, 0"},
      expect = ACCEPTABLE,
      desc = "nobody has it, or one, with all that was written to it")
  @State
  public static class GivenAndTaken {
    private final RunCache cache = new RunCache(1);
    private final Run run = run(1);

    @Actor
    public void end() {
      run.depth = 7;
      cache.give(run);
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = numbered(cache.take());
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = numbered(cache.take());
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = numbered(cache.take());
    }
  }
}
