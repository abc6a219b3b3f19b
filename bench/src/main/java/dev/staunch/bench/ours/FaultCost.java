package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A failing operation, a read that throws its fault, and a close; what one costs as the process has
 * seen more and more of them. Microseconds.
 */
final class FaultCost {
  private static final int WINDOW = 1_000;
  private static final int WARM_UP = 200;
  private static final int WINDOWS = 100;
  private static final int EDGE = 10;

  private FaultCost() {}

  static Map<String, Double> measure() {
    try (Context context = Context.open(OffHeap.withDefaultBudget())) {
      double cold = window(context);
      for (int i = 1; i < WARM_UP; i++) {
        window(context);
      }
      double[] micros = new double[WINDOWS];
      for (int i = 0; i < WINDOWS; i++) {
        micros[i] = window(context);
      }
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("coldFault", cold);
      figures.put("firstFault", best(micros, 0));
      figures.put("lastFault", best(micros, WINDOWS - EDGE));
      figures.put("heldAfterFaults", (double) context.bytes());
      return figures;
    }
  }

  private static double window(Context context) {
    long started = System.nanoTime();
    for (int i = 0; i < WINDOW; i++) {
      Tensor failed = context.normal(0, -1, 2, 3);
      try {
        throw new IllegalStateException("read a value: " + failed.value());
      } catch (StaunchException expected) {
        failed.close();
      }
    }
    return (System.nanoTime() - started) / 1e3 / WINDOW;
  }

  private static double best(double[] all, int from) {
    return Arrays.stream(all, from, from + EDGE).min().orElseThrow();
  }
}
