package dev.staunch.bench.kernel;

import dev.staunch.bench.timed.FmaPeak;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.List;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;

/**
 * Times the kernels of a group. Prints the best run of each, in billions of operations or of bytes
 * a second, and as {@code peak} the most operations that float32 vectors can do in registers.
 */
public final class KernelTimes {
  /** Shorter runs are repeated; otherwise the time of reading the clock would be measured. */
  private static final double SHORTEST_NANOS = 20_000;

  private KernelTimes() {}

  /** Takes the name of a group, and the seconds for warming up and for measuring each case. */
  public static void main(String[] arguments) {
    double warm = Double.parseDouble(arguments[1]);
    double measured = Double.parseDouble(arguments[2]);
    KernelSet kernels = StandardOperations.catalog().kernels().warm();
    try (OffHeap memory = OffHeap.withDefaultBudget();
        ResourceScope scope = ResourceScope.open(memory, "kernels")) {
      List<KernelCase> cases =
          Stream.concat(new KernelCases(scope, kernels).of(arguments[0]), Stream.of(peak()))
              .toList();
      cases.forEach(each -> best(each, warm)); // compiles the shared code before anything is timed
      cases.forEach(each -> System.out.println(each.name() + "=" + best(each, measured)));
    }
  }

  private static KernelCase peak() {
    FmaPeak peak = new FmaPeak();
    double vectors = 1e5;
    double work = 2e-9 * vectors * FloatVector.SPECIES_PREFERRED.length();
    float[] kept = {0};
    return new KernelCase("peak", work, () -> kept[0] += peak.multiplyAndAdd());
  }

  /** The best of the runs within some seconds; takes at least three runs. */
  private static double best(KernelCase each, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    double shortest = Double.POSITIVE_INFINITY;
    for (int runs = 0; runs < 3 || System.nanoTime() < end; runs++) {
      int times = (int) Math.clamp(SHORTEST_NANOS / shortest, 1, 1000);
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        each.run().run();
      }
      shortest = Math.min(shortest, (System.nanoTime() - start) / (double) times);
    }
    return each.work() / shortest * 1e9;
  }
}
