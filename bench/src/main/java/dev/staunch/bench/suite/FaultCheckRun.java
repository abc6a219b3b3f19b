package dev.staunch.bench.suite;

import dev.staunch.bench.jmh.JmhBenchmark;
import dev.staunch.bench.jmh.Scores;
import dev.staunch.bench.timed.FaultCheck;
import java.util.Arrays;
import java.util.Map;

/**
 * Runs {@link FaultCheck} with and without in turn, so that a drift of the machine affects both.
 */
final class FaultCheckRun {
  private FaultCheckRun() {}

  /**
   * The cost of the check in percent, and how much runs of the same kind differ; empty if a run
   * failed.
   */
  static Map<String, Double> measure(Session session) {
    int turns = session.effort().pick(2, 6);
    double[] with = new double[turns];
    double[] without = new double[turns];
    for (int i = 0; i < turns; i++) {
      without[i] = best(session, "without");
      with[i] = best(session, "with");
    }
    Arrays.sort(with);
    Arrays.sort(without);
    double base = without[0];
    if (Double.isNaN(with[turns - 1] + without[turns - 1])) { // NaN sorts behind all other values
      return Map.of();
    }
    return Map.of(
        "faultCheckPercent", (with[0] / base - 1) * 100 / FaultCheck.CHECKS,
        "faultCheckNoisePercent",
            Math.max(spread(with), spread(without)) * 100 / FaultCheck.CHECKS);
  }

  /** The relative distance of the median of {@code sorted} times from the smallest. */
  private static double spread(double[] sorted) {
    return sorted[sorted.length / 2] / sorted[0] - 1;
  }

  private static double best(Session session, String method) {
    return session
        .time(JmhBenchmark.of(FaultCheck.class, method), session.effort().settledAverages())
        .map(Scores::best)
        .orElse(Double.NaN);
  }
}
