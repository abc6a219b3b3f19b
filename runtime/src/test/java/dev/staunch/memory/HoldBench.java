package dev.staunch.memory;

import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What it costs an operation to hold its scope (M1): one {@link ResourceScope#hold} and its end, in
 * a scope that a thread has alone; the figure is in {@code docs/decisions/0004-memory.md}.
 *
 * <pre>
 * mvn -q test-compile -pl runtime
 * java -cp runtime/target/classes:runtime/target/test-classes dev.staunch.memory.HoldBench
 * </pre>
 */
final class HoldBench {
  private static final int ROUNDS = 15;
  private static final int OPERATIONS = 20_000_000;
  private static final AtomicLong WORD = new AtomicLong();

  private HoldBench() {}

  /** Of this thread, for machines that do other work too. */
  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] arguments) {
    Holder kernel = () -> "kernel";
    double hold = Double.MAX_VALUE;
    double floor = Double.MAX_VALUE;
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "bench")) {
      for (int round = 0; round < ROUNDS; round++) {
        long start = processorTime();
        for (int i = 0; i < OPERATIONS; i++) {
          Objects.requireNonNull(scope.hold(kernel)).end();
        }
        long middle = processorTime();
        for (int i = 0; i < OPERATIONS; i++) {
          WORD.incrementAndGet();
          WORD.set(2L * i + 2);
        }
        WORD.set(0);
        hold = Math.min(hold, (middle - start) / (double) OPERATIONS);
        floor = Math.min(floor, (processorTime() - middle) / (double) OPERATIONS);
      }
    }
    System.out.printf(
        "%.1f ns an operation; two atomic operations on a word alone take %.1f%n", hold, floor);
  }
}
