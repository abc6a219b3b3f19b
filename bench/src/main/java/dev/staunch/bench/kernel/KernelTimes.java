package dev.staunch.bench.kernel;

import dev.staunch.bench.timed.FmaPeak;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;

/**
 * Times the kernels of a group, those that are compared with each other alternately. Prints the
 * best run of each, in billions of operations or of bytes a second, and as {@code peak} the most
 * operations that float32 vectors can do in registers.
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
      List<List<KernelCase>> cases =
          Stream.concat(
                  new KernelCases(scope, kernels).of(arguments[0]), Stream.of(List.of(peak())))
              .toList();
      cases.forEach(each -> best(each, warm)); // compiles the shared code before anything is timed
      for (List<KernelCase> each : cases) {
        double[] speeds = best(each, measured);
        for (int i = 0; i < speeds.length; i++) {
          System.out.println(each.get(i).name() + "=" + speeds[i]);
        }
      }
    }
  }

  private static KernelCase peak() {
    FmaPeak peak = new FmaPeak();
    double vectors = 1e5;
    double work = 2e-9 * vectors * FloatVector.SPECIES_PREFERRED.length();
    float[] kept = {0};
    return new KernelCase("peak", work, () -> kept[0] += peak.multiplyAndAdd());
  }

  /**
   * The best speed of each case within some seconds, in which the cases run alternately; takes at
   * least three runs of each.
   */
  private static double[] best(List<KernelCase> cases, double seconds) {
    double[] shortest = new double[cases.size()];
    Arrays.fill(shortest, Double.POSITIVE_INFINITY);
    long end = System.nanoTime() + (long) (seconds * cases.size() * 1e9);
    for (int runs = 0; runs < 3 || System.nanoTime() < end; runs++) {
      for (int i = 0; i < shortest.length; i++) {
        shortest[i] = Math.min(shortest[i], nanos(cases.get(i), shortest[i]));
      }
    }
    double[] speeds = new double[shortest.length];
    Arrays.setAll(speeds, i -> cases.get(i).work() / shortest[i] * 1e9);
    return speeds;
  }

  /** The nanoseconds of a run, as the mean of as many as are not too short to be timed. */
  private static double nanos(KernelCase each, double shortest) {
    int times = (int) Math.clamp(SHORTEST_NANOS / shortest, 1, 1000);
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      each.run().run();
    }
    return (System.nanoTime() - start) / (double) times;
  }
}
