package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.Map;

/** {@code x += 1} on four floats, each after the other, then one wait; millions a second. */
final class ChainedAdditions {
  private static final int OPERATIONS = 100_000;

  private ChainedAdditions() {}

  static Map<String, Double> measure(Effort effort) {
    return Map.of(
        "chained", millions(effort, ContextOptions.standard()),
        "chainedOnWorkers", millions(effort, ContextOptions.standard().withLargeElements(1)));
  }

  private static double millions(Effort effort, ContextOptions options) {
    try (Context context = Context.open(OffHeap.withDefaultBudget(), options)) {
      Tensor x = context.of(Shape.of(4), new float[4]);
      double nanos =
          effort.bestNanos(
              OPERATIONS,
              () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                  x.add_(1.0);
                }
                x.value();
              });
      return 1e3 / nanos;
    }
  }
}
