package dev.staunch.bench.suite;

import dev.staunch.bench.micro.FaultCheck;
import dev.staunch.bench.ours.Effort;
import java.util.Arrays;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link FaultCheck} with and without, in turn, so that a drift of the machine hits both. */
final class FaultCheckRun {
  private FaultCheckRun() {}

  /** What the check adds in percent, and how far runs without it differ among themselves. */
  static Map<String, Double> measure(Effort effort) {
    int turns = effort.pick(2, 6);
    double[] with = new double[turns];
    double[] without = new double[turns];
    try {
      for (int i = 0; i < turns; i++) {
        without[i] = score("without", effort);
        with[i] = score("with", effort);
      }
    } catch (RunnerException e) {
      return Map.of();
    }
    Arrays.sort(with);
    Arrays.sort(without);
    double base = without[0];
    return Map.of(
        "faultCheckPercent", (with[0] / base - 1) * 100 / FaultCheck.CHECKS,
        "faultCheckNoisePercent", (without[turns / 2] / base - 1) * 100 / FaultCheck.CHECKS);
  }

  private static double score(String method, Effort effort) throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(FaultCheck.class.getName() + "." + method + "$")
            .forks(1)
            // JMH looks at objects through Unsafe; the JVM need not say so each time.
            .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow")
            .warmupIterations(effort.pick(3, 5))
            .warmupTime(TimeValue.milliseconds(200))
            .measurementIterations(effort.pick(4, 10))
            .measurementTime(TimeValue.milliseconds(200))
            .verbosity(VerboseMode.SILENT)
            .build();
    RunResult result = new Runner(options).runSingle();
    return result.getBenchmarkResults().stream()
        .flatMap(each -> each.getIterationResults().stream())
        .mapToDouble(each -> each.getPrimaryResult().getScore())
        .min()
        .orElse(Double.NaN);
  }
}
