package dev.staunch.execute;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@link RunCache}: a run belongs to one request at a time, and the next request sees all of it
 * (S6).
 */
public final class RunReuse {
  private static final Plan PLAN =
      Plan.prepare(
          new Program(
              List.of(
                  new Function(
                      "f",
                      new Block(List.of(), List.of(), List.of()),
                      List.of(),
                      Function.Discipline.SEQUENTIAL,
                      null))),
          StandardOperations.catalog());

  private RunReuse() {}

  /** 0 for no run, 1 for a new one, 7 for one with a frame to be reused. */
  private static int seen(@Nullable Run run) {
    boolean used = run != null && run.free.length > 0 && run.free[0] != null;
    return run == null ? 0 : used ? 7 : 1;
  }

  private static void use(Run run) {
    run.leave(run.enter(Objects.requireNonNull(PLAN.find(Variant.of("f"))), null, null));
  }

  /** Two concurrent requests look for one run. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them has it")
  @State
  public static class TakenByTwo {
    private final RunCache cache = new RunCache(1);

    public TakenByTwo() {
      cache.give(new Run(PLAN));
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = seen(cache.take());
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = seen(cache.take());
    }
  }

  /** One request ends and returns its run, which it has changed; two others begin. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 7", "7, 0, 0", "0, 7, 0", "0, 0, 0"},
      expect = ACCEPTABLE,
      desc = "nobody has it, or one, with all that was written to it")
  @State
  public static class GivenAndTaken {
    private final RunCache cache = new RunCache(1);
    private final Run run = new Run(PLAN);

    @Actor
    public void end() {
      use(run);
      cache.give(run);
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = seen(cache.take());
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = seen(cache.take());
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = seen(cache.take());
    }
  }
}
