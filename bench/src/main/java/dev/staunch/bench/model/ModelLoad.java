package dev.staunch.bench.model;

import java.util.Set;

/** How requests arrive in a comparison of whole models. */
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

  /** The load that the words of a command line ask for. */
  public static ModelLoad of(Set<String> words) {
    if (words.contains("--all-cores")) {
      return ALL_CORES;
    }
    return words.contains("--callers") ? CALLERS : ONE_THREAD;
  }

  /** The goal for each row, as a ratio to the best peer. */
  public double leastOfAll() {
    return leastOfAll;
  }

  /** The goal for the geometric mean of all rows. */
  public double mean() {
    return mean;
  }

  /** The number of processors that requests may use. */
  public int processors() {
    return this == ONE_THREAD ? 1 : Runtime.getRuntime().availableProcessors();
  }

  /** The number of threads that send requests. */
  public int callers() {
    return this == CALLERS ? processors() : 1;
  }

  /** The number of threads that a peer may use for one request. */
  public int threadsOfRequest() {
    return this == ALL_CORES ? processors() : 1;
  }
}
