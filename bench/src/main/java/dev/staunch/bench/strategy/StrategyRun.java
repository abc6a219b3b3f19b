package dev.staunch.bench.strategy;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The main class of a JVM that trains with one strategy, prints figures and records the held bytes.
 */
public final class StrategyRun {
  private static final int WARM_UP = 100;

  private final Strategy strategy;
  private final OffHeap memory;

  private StrategyRun(Strategy strategy) {
    this.strategy = strategy;
    this.memory = OffHeap.of(strategy.options());
  }

  /** Takes the name of a {@link Strategy}, the number of steps and a file for the held bytes. */
  public static void main(String[] arguments) throws IOException {
    Strategy strategy = Strategy.valueOf(arguments[0]);
    new StrategyRun(strategy)
        .train(Integer.parseInt(arguments[1]), Path.of(arguments[2]))
        .forEach((name, value) -> System.out.println(name + "=" + value));
  }

  private Map<String, Double> train(int steps, Path file) throws IOException {
    Map<String, Double> figures = new LinkedHashMap<>();
    try (Context context = Context.open(memory)) {
      Consumer<Tensor> done = strategy == Strategy.DISPOSE ? Tensor::close : tensor -> {};
      TrainingStep step = new TrainingStep(context, done);
      for (int i = 0; i < WARM_UP; i++) {
        run(context, step);
      }
      long collecting = collectionMillis();
      long started = System.nanoTime();
      double loss = 0;
      HeldBytes held = new HeldBytes(memory.account());
      try (held) {
        for (int i = 0; i < steps; i++) {
          loss = run(context, step);
        }
      }
      figures.put("stepMicros", (System.nanoTime() - started) / 1e3 / steps);
      figures.put("gcMillis", (double) collectionMillis() - collecting);
      figures.put("loss", loss);
      held.write(file);
    }
    figures.put("peakBytes", (double) memory.account().peakBytes());
    figures.put("collectionsAsked", (double) memory.metrics().collectionsRequested());
    figures.put("bytesLeft", (double) memory.account().bytes());
    return figures;
  }

  private double run(Context context, TrainingStep step) {
    if (strategy != Strategy.SCOPE) {
      return step.run();
    }
    return context.using("step", step::run);
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
