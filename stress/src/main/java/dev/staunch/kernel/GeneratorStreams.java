package dev.staunch.kernel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** {@link Generator}: no stream is handed out twice, whichever threads ask and seed. */
public final class GeneratorStreams {
  private GeneratorStreams() {}

  private static String text(RandomStream stream) {
    return stream.seed() + "." + stream.number();
  }

  /** Two threads take a stream each while a third sets another seed. */
  @JCStressTest
  @Outcome(
      id = {"1.0, 1.1, 2.0", "1.1, 1.0, 2.0"},
      expect = ACCEPTABLE,
      desc = "both before the new seed")
  @Outcome(
      id = {"1.0, 2.0, 2.1", "2.0, 1.0, 2.1"},
      expect = ACCEPTABLE,
      desc = "one before, one after")
  @Outcome(
      id = {"2.0, 2.1, 2.2", "2.1, 2.0, 2.2"},
      expect = ACCEPTABLE,
      desc = "both after")
  @State
  public static class TakenAsSeeded {
    private final Generator generator = Generator.ofSeed(1);

    @Actor
    public void one(LLL_Result r) {
      r.r1 = text(generator.next());
    }

    @Actor
    public void other(LLL_Result r) {
      r.r2 = text(generator.next());
    }

    @Actor
    public void seed() {
      generator.seed(2);
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = text(generator.next());
    }
  }

  /** Two threads take a stream each while a third restores a state that it had saved. */
  @JCStressTest
  @Outcome(
      id = {"1.0, 1.1, 3.5", "1.1, 1.0, 3.5"},
      expect = ACCEPTABLE,
      desc = "both before the old state")
  @Outcome(
      id = {"1.0, 3.5, 3.6", "3.5, 1.0, 3.6"},
      expect = ACCEPTABLE,
      desc = "one before, one after")
  @Outcome(
      id = {"3.5, 3.6, 3.7", "3.6, 3.5, 3.7"},
      expect = ACCEPTABLE,
      desc = "both after")
  @State
  public static class TakenAsRestored {
    private final Generator generator = Generator.ofSeed(1);

    @Actor
    public void one(LLL_Result r) {
      r.r1 = text(generator.next());
    }

    @Actor
    public void other(LLL_Result r) {
      r.r2 = text(generator.next());
    }

    @Actor
    public void restore() {
      generator.restore(new Generator.State(3, 5));
    }

    @Arbiter
    public void after(LLL_Result r) {
      r.r3 = text(generator.next());
    }
  }
}
