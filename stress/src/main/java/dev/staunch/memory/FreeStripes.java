package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The stripes of a {@link BlockPool}: no block belongs to two threads at once, and none is lost
 * (M6).
 */
public final class FreeStripes {
  private static final BlockPool POOL = new BlockPool(0, false);

  private FreeStripes() {}

  private static Block block() {
    Block found = POOL.takeFree(64);
    return found == null ? POOL.takeNew(64) : found;
  }

  /** Two threads give and one takes: the blocks taken and the blocks left are two together. */
  @JCStressTest
  @Outcome(
      id = {"0, 2", "1, 1"},
      expect = ACCEPTABLE,
      desc = "both lie there, or one was taken")
  @State
  public static class GivenAndTaken {
    private static final Block FIRST = block();
    private static final Block SECOND = block();
    private final FreeBlocks blocks = new FreeBlocks();

    @Actor
    public void one() {
      blocks.give(FIRST);
    }

    @Actor
    public void other() {
      blocks.give(SECOND);
    }

    @Actor
    public void take(II_Result r) {
      r.r1 = blocks.tryTake() == null ? 0 : 1;
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = blocks.size();
    }
  }

  /** One thread takes out all blocks while two others each try for one. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "each block is taken once or lies there")
  @State
  public static class TakenAllAtOnce {
    private static final Block FIRST = block();
    private static final Block SECOND = block();
    private final FreeBlocks blocks = new FreeBlocks();
    private int all;
    private @Nullable Block one;
    private @Nullable Block other;

    public TakenAllAtOnce() {
      blocks.give(FIRST);
      blocks.give(SECOND);
    }

    @Actor
    public void all() {
      all = blocks.takeAll().length;
    }

    @Actor
    public void one() {
      one = blocks.tryTake();
    }

    @Actor
    public void other() {
      other = blocks.tryTake();
    }

    @Arbiter
    public void after(I_Result r) {
      int taken = (one == null ? 0 : 1) + (other == null ? 0 : 1);
      boolean same = one != null && one == other;
      r.r1 = same ? -1 : all + taken + blocks.size();
    }
  }

  /** Two threads use blocks of one pool while it is trimmed: each finds what it wrote. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each had its block alone")
  @State
  public static class UsedWhileTrimmed {
    private static final ValueLayout.OfLong MARK = ValueLayout.JAVA_LONG;

    private static int use(long mark) {
      Block block = block();
      block.segment.set(MARK, 0, mark);
      Thread.onSpinWait();
      boolean mine = block.segment.get(MARK, 0) == mark;
      POOL.give(block);
      return mine ? 1 : 0;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = use(1);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = use(2);
    }

    @Actor
    public void trim(III_Result r) {
      r.r3 = POOL.trim() >= 0 ? 1 : 0;
    }
  }
}
