package dev.staunch.kernel.loop;

/**
 * Whether {@link Math#fma} is an instruction here. Without one, the JDK computes it with big
 * decimals, which takes some hundred times as long as any instruction even when it is compiled.
 */
public final class FusedMultiplyAdd {
  /** An interpreted instruction takes less than a tenth of this, compiled big decimals more. */
  private static final long MOST_NANOSECONDS = 20_000;

  private static final int CALLS = 100;
  private static final int ROUNDS = 5;

  public static final boolean IS_FAST = isFast();

  private FusedMultiplyAdd() {}

  /** By the quickest of some rounds, so that a thread that was held up decides nothing. */
  private static boolean isFast() {
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      float sum = 0;
      for (int i = 0; i < CALLS; i++) {
        sum = Math.fma(0.7f, sum, 0.3f);
      }
      if (System.nanoTime() - start < MOST_NANOSECONDS && sum > 0) {
        return true;
      }
    }
    return false;
  }
}
