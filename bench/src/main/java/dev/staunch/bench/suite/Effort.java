package dev.staunch.bench.suite;

import dev.staunch.bench.jmh.Schedule;

/** How long a suite may take: a short look, or figures to write down. */
public enum Effort {
  QUICK,
  FULL;

  /** How often JMH runs what takes so little that many invocations fit into an iteration. */
  Schedule averages() {
    return this == QUICK ? Schedule.averages(6, 5, 120) : Schedule.averages(8, 10, 200);
  }

  /** As {@link #averages}, for what takes the compiler long to settle. */
  Schedule settledAverages() {
    return this == QUICK ? Schedule.averages(8, 5, 120) : averages();
  }

  /** How often the figures of a row are taken; the row has the median. */
  int rounds() {
    return pick(1, 3);
  }

  int pick(int quick, int full) {
    return this == QUICK ? quick : full;
  }
}
