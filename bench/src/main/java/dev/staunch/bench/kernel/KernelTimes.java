package dev.staunch.bench.kernel;

import dev.staunch.bench.timed.FmaPeak;
import dev.staunch.bench.timed.ReadPeak;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.incubator.vector.FloatVector;

/**
 * Times the kernels of a group, those that are compared with each other alternately. Prints the
 * best run of each, in billions of operations or of bytes a second, before it the machine's {@link
 * Roofline}, and with {@code bound} before its name the speed to which that limits a kernel.
 */
public final class KernelTimes {
  /** Shorter runs are repeated; otherwise the time of reading the clock would be measured. */
  private static final double SHORTEST_NANOS = 20_000;

  /** How much is read at least and at most when the speed of reading is measured. */
  private static final int LEAST_KIBI = 8;

  private static final int MOST_KIBI = 128 << 10;

  /** Each size that is read gets this part of the time of a kernel; they all share one loop. */
  private static final double SHARE = 10;

  private KernelTimes() {}

  /** Takes the name of a group, and the seconds for warming up and for measuring each case. */
  public static void main(String[] arguments) {
    double warm = Double.parseDouble(arguments[1]);
    double measured = Double.parseDouble(arguments[2]);
    KernelSet kernels = StandardOperations.catalog().kernels().warm();
    try (OffHeap memory = OffHeap.withDefaultBudget();
        ResourceScope scope = ResourceScope.open(memory, "kernels")) {
      List<KernelCase> reads = reads();
      List<List<KernelCase>> cases = new KernelCases(scope, kernels).of(arguments[0]).toList();
      // Compiles the shared code before anything is timed.
      best(List.of(peak()), warm);
      reads.forEach(each -> best(List.of(each), warm / SHARE));
      cases.forEach(each -> best(each, warm));
      Map<String, Double> figures = new LinkedHashMap<>(best(List.of(peak()), measured));
      reads.forEach(each -> figures.putAll(best(List.of(each), measured / SHARE)));
      Roofline roofline = Roofline.of(figures);
      for (List<KernelCase> each : cases) {
        figures.putAll(best(each, measured));
        for (KernelCase kernel : each) {
          if (kernel.fewest() > 0) {
            figures.put("bound " + kernel.name(), kernel.bound(roofline));
          }
        }
      }
      figures.forEach((name, figure) -> System.out.println(name + "=" + figure));
    }
  }

  private static KernelCase peak() {
    FmaPeak peak = new FmaPeak();
    double vectors = 1e5;
    double work = 2e-9 * vectors * FloatVector.SPECIES_PREFERRED.length();
    float[] kept = {0};
    return new KernelCase(Roofline.PEAK, work, () -> kept[0] += peak.multiplyAndAdd());
  }

  private static List<KernelCase> reads() {
    List<KernelCase> reads = new ArrayList<>();
    float[] kept = {0};
    for (int kibi = LEAST_KIBI; kibi <= MOST_KIBI; kibi *= 2) {
      ReadPeak peak = ReadPeak.of(kibi);
      double work = 1.024e-6 * kibi;
      reads.add(new KernelCase(Roofline.read(kibi), work, () -> kept[0] += peak.read()));
    }
    return reads;
  }

  /**
   * The best speed of each case within some seconds, in which the cases run alternately; takes at
   * least three runs of each.
   */
  private static Map<String, Double> best(List<KernelCase> cases, double seconds) {
    double[] shortest = new double[cases.size()];
    Arrays.fill(shortest, Double.POSITIVE_INFINITY);
    long end = System.nanoTime() + (long) (seconds * cases.size() * 1e9);
    for (int runs = 0; runs < 3 || System.nanoTime() < end; runs++) {
      for (int i = 0; i < shortest.length; i++) {
        shortest[i] = Math.min(shortest[i], nanos(cases.get(i), shortest[i]));
      }
    }
    Map<String, Double> speeds = new LinkedHashMap<>();
    for (int i = 0; i < shortest.length; i++) {
      speeds.put(cases.get(i).name(), cases.get(i).work() / shortest[i] * 1e9);
    }
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
