package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Making a small tensor and giving it back; nanoseconds. */
final class CreateClose {
  private static final int TIMES = 100_000;
  private static final int THREADS = 4;

  private CreateClose() {}

  static Map<String, Double> measure(Effort effort) {
    OffHeap memory = OffHeap.withDefaultBudget();
    Map<String, Double> figures = new LinkedHashMap<>();
    try (ResourceScope scope = ResourceScope.open(memory, "bench")) {
      Shape four = Shape.of(4);
      Shape many = Shape.of(1024);
      figures.put("create4", effort.bestNanos(TIMES, () -> cycle(scope, four)));
      figures.put("create1024", effort.bestNanos(TIMES, () -> cycle(scope, many)));
    }
    figures.put("create4On4", onThreads(effort, memory));
    figures.put("eager4", eager(effort, memory));
    figures.put("bytesAbove", (double) memory.account().bytes());
    return figures;
  }

  private static void cycle(ResourceScope scope, Shape shape) {
    for (int i = 0; i < TIMES; i++) {
      if (DenseTensor.allocate(scope, DType.FLOAT32, shape) instanceof DenseTensor tensor) {
        tensor.close();
      }
    }
  }

  /** Wall time for each cycle of each thread; equal to one thread's if they don't disturb. */
  private static double onThreads(Effort effort, OffHeap memory) {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      return effort.bestNanos(TIMES, () -> onThreads(threads, memory));
    }
  }

  private static void onThreads(ExecutorService threads, OffHeap memory) {
    var running =
        IntStream.range(0, THREADS).mapToObj(i -> threads.submit(() -> request(memory))).toList();
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void request(OffHeap memory) {
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      cycle(scope, Shape.of(4));
    }
  }

  private static double eager(Effort effort, OffHeap memory) {
    try (Context context = Context.open(memory)) {
      return effort.bestNanos(
          TIMES,
          () -> {
            for (int i = 0; i < TIMES; i++) {
              context.empty(DType.FLOAT32, 4).close();
            }
          });
    }
  }
}
