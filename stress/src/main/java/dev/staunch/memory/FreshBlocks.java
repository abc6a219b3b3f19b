package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link FreshBlock}: no byte is lost when a block arrives as its caller gives up (M4). */
public final class FreshBlocks {
  private static final long BYTES = 64 << 10;

  private FreshBlocks() {}

  /** The block is made at the moment when nobody wants it any more. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "it was in the pool, and nobody waits for it")
  @State
  public static class AsItIsGivenUp {
    private final MemoryCore core = new MemoryCore(MemoryOptions.withBudget(1 << 20));
    private final FreshBlock fresh = new FreshBlock(core, BYTES);

    @Actor
    public void make() {
      fresh.run();
    }

    @Actor
    public void giveUp() {
      fresh.giveUp();
    }

    @Arbiter
    public void after(JJ_Result r) {
      core.trim(); // gives back the blocks in the pool, and nothing else
      r.r1 = core.pool.reservedBytes();
      r.r2 = core.unwanted().get();
    }
  }
}
