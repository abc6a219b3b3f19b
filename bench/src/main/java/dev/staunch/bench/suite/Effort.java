package dev.staunch.bench.suite;

import dev.staunch.bench.jmh.Schedule;

/** How long a suite may take: for a quick look, or for figures to write down. */
public enum Effort {
  QUICK,
  FULL;

  /** How often JMH runs short benchmarks, of which many invocations fit into an iteration. */
  Schedule averages() {
    return this == QUICK ? Schedule.averages(6, 5, 120) : Schedule.averages(8, 10, 200);
  }

  /** As {@link #averages}, for benchmarks that take the compiler long to settle. */
  Schedule settledAverages() {
    return this == QUICK ? Schedule.averages(8, 5, 120) : averages();
  }

  /** How often the figures of a row are measured; the row shows the median. */
  int rounds() {
    return pick(1, 3);
  }

  int pick(int quick, int full) {
    return this == QUICK ? quick : full;
  }
}
