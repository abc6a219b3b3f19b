package dev.staunch.bench.ours;

/** How long a measurement may take: a short look, or a figure to write down. */
public enum Effort {
  QUICK(800_000_000L, 3),
  FULL(1_500_000_000L, 5);

  private final long warmUpNanos;
  private final int repetitions;

  Effort(long warmUpNanos, int repetitions) {
    this.warmUpNanos = warmUpNanos;
    this.repetitions = repetitions;
  }

  /** How often the figures of a row are taken; the row has the median. */
  public int rounds() {
    return pick(1, 3);
  }

  public int pick(int quick, int full) {
    return this == QUICK ? quick : full;
  }

  /** Nanoseconds for one operation of {@code body}, which does {@code operations} each time. */
  double bestNanos(int operations, Runnable body) {
    long end = System.nanoTime() + warmUpNanos;
    do {
      body.run();
    } while (System.nanoTime() < end);
    long best = Long.MAX_VALUE;
    for (int i = 0; i < repetitions; i++) {
      long started = System.nanoTime();
      body.run();
      best = Math.min(best, System.nanoTime() - started);
    }
    return (double) best / operations;
  }
}
