package dev.staunch.memory;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost of making and closing a tensor (M6); baseline in {@code docs/decisions/0004-memory.md}.
 * One figure per process:
 *
 * <pre>
 * mvn -q test-compile -pl runtime
 * java -Xmx1g -cp runtime/target/classes:runtime/target/test-classes \
 *     dev.staunch.memory.AllocationBench close 1024 1
 * </pre>
 *
 * <p>{@code close} closes each tensor, {@code scope} closes ten at a time with their scope. The
 * other arguments are the number of floats and the number of threads. Processor time is shown for
 * machines that do other work too.
 */
final class AllocationBench {
  private static final int ROUNDS = 12;
  private static final int OPERATIONS = 3_000_000;
  private static final int IN_A_SCOPE = 10;

  private AllocationBench() {}

  public static void main(String[] arguments) throws InterruptedException {
    boolean each = arguments[0].equals("close");
    Shape shape = Shape.of(Long.parseLong(arguments[1]));
    int threads = Integer.parseInt(arguments[2]);
    int operations = shape.elements() > 1 << 20 ? OPERATIONS / 100 : OPERATIONS;
    OffHeap memory = OffHeap.withBudget(2L << 30);
    double best = Double.MAX_VALUE;
    double bestProcessor = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      AtomicLong processor = new AtomicLong();
      long start = System.nanoTime();
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            Thread.ofPlatform()
                .name("bench-" + i)
                .start(() -> {
                  if (each) {
                    closeEach(memory, shape, operations);
                  } else {
                    closeScopes(memory, shape, operations);
                  }
                  processor.addAndGet(
                      ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
                }));
      }
      for (Thread thread : running) {
        thread.join();
      }
      best = Math.min(best, (System.nanoTime() - start) / (double) operations);
      bestProcessor = Math.min(bestProcessor, processor.get() / (double) operations / threads);
    }
    System.out.printf(
        "%s: %.1f ns, %.1f ns of processor time, for each tensor and thread; %d bytes held%n",
        String.join(" ", arguments), best, bestProcessor, memory.account().bytes());
  }

  private static void closeEach(OffHeap memory, Shape shape, int operations) {
    try (ResourceScope scope = ResourceScope.open(memory, "bench")) {
      for (int i = 0; i < operations; i++) {
        ((DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape)).close();
      }
    }
  }

  private static void closeScopes(OffHeap memory, Shape shape, int operations) {
    for (int i = 0; i < operations; i += IN_A_SCOPE) {
      try (ResourceScope scope = ResourceScope.open(memory, "bench")) {
        for (int j = 0; j < IN_A_SCOPE; j++) {
          ((DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape)).rank();
        }
      }
    }
  }
}
