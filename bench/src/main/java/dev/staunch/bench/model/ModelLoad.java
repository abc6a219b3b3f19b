package dev.staunch.bench.model;

import java.util.Set;

/** How requests come, which is what a table of whole models is about. */
public enum ModelLoad {
  /** One at a time, on one thread. */
  ONE_THREAD(0.9, 1.3),
  /** One at a time, on all processors. */
  ALL_CORES(0.85, 1.2),
  /** From as many threads at once as there are processors. */
  CALLERS(0.9, 1.3);

  private final double leastOfAll;
  private final double mean;

  ModelLoad(double leastOfAll, double mean) {
    this.leastOfAll = leastOfAll;
    this.mean = mean;
  }

  /** What the words of a command line ask for. */
  public static ModelLoad of(Set<String> words) {
    if (words.contains("--all-cores")) {
      return ALL_CORES;
    }
    return words.contains("--callers") ? CALLERS : ONE_THREAD;
  }

  /** The least that a row should reach, as a ratio to the best peer. */
  public double leastOfAll() {
    return leastOfAll;
  }

  /** What the geometric mean of all rows should reach. */
  public double mean() {
    return mean;
  }

  /** Processors that requests may use. */
  public int processors() {
    return this == ONE_THREAD ? 1 : Runtime.getRuntime().availableProcessors();
  }

  /** Threads that ask. */
  public int callers() {
    return this == CALLERS ? processors() : 1;
  }

  /** Threads that a peer may use for one request. */
  public int threadsOfRequest() {
    return this == ALL_CORES ? processors() : 1;
  }
}
