package dev.staunch.bench.strategy;

import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.ReclaimStrategy;
import java.time.Duration;

/** Who gives back the tensors of a training step, and when. */
public enum Strategy {
  DISPOSE("dispose each tensor"),
  SCOPE("scope for each step"),
  PERIODIC("collection every 500 ms"),
  THRESHOLD("collection at 128 MiB"),
  JVM("left to the JVM");

  private static final long BUDGET = 4L << 30;
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final long THRESHOLD_BYTES = 128L << 20;
  private static final Duration GAP = Duration.ofMillis(50);

  private final String label;

  Strategy(String label) {
    this.label = label;
  }

  /** The name in a table or a legend. */
  public String label() {
    return label;
  }

  MemoryOptions options() {
    ReclaimStrategy reclaim =
        switch (this) {
          case DISPOSE, SCOPE, JVM -> ReclaimStrategy.LEAVE_TO_JVM;
          case PERIODIC -> ReclaimStrategy.periodic(INTERVAL);
          case THRESHOLD -> new ReclaimStrategy.Threshold(THRESHOLD_BYTES, GAP);
        };
    return MemoryOptions.withBudget(BUDGET).withStrategy(reclaim);
  }
}
