package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.Map;

/** {@code x += 1} on four floats, then a wait for it, each time; microseconds. */
final class RoundTrips {
  private static final int OPERATIONS = 20_000;

  private RoundTrips() {}

  static Map<String, Double> measure(Effort effort) {
    return Map.of(
        "roundTrip", micros(effort, ContextOptions.standard()),
        "roundTripByWorker", micros(effort, ContextOptions.standard().withLargeElements(1)));
  }

  private static double micros(Effort effort, ContextOptions options) {
    try (Context context = Context.open(OffHeap.withDefaultBudget(), options)) {
      Tensor x = context.of(Shape.of(4), new float[4]);
      double nanos =
          effort.bestNanos(
              OPERATIONS,
              () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                  x.add_(1.0).value();
                }
              });
      return nanos / 1e3;
    }
  }
}
