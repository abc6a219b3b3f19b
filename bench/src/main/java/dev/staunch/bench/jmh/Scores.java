package dev.staunch.bench.jmh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;

/**
 * The measurements of one fork.
 *
 * @param nanos the time of one invocation, for each iteration in order; never empty
 * @param error the error of their mean as JMH gives it, with 99.9 % confidence; NaN for one or two
 *     iterations
 * @param events the benchmark's counters, over all iterations
 */
public record Scores(List<Double> nanos, double error, Map<String, Double> events) {
  public Scores {
    nanos = List.copyOf(nanos);
    events = Map.copyOf(events);
  }

  static Scores of(BenchmarkResult result, Schedule schedule) {
    List<Double> nanos = new ArrayList<>();
    result
        .getIterationResults()
        .forEach(each -> nanos.add(each.getPrimaryResult().getScore() / schedule.batch()));
    Map<String, Double> events = new HashMap<>();
    result.getSecondaryResults().forEach((name, each) -> events.put(name, each.getScore()));
    double error = result.getPrimaryResult().getScoreError() / schedule.batch();
    return new Scores(nanos, error, events);
  }

  /** The first iteration. */
  public double first() {
    return nanos.getFirst();
  }

  /** The last iteration. */
  public double last() {
    return nanos.getLast();
  }

  /** The fastest iteration. */
  public double best() {
    return Collections.min(nanos);
  }

  /** The fastest of the iterations from {@code from} on and before {@code to}, counted from 0. */
  public double best(int from, int to) {
    return Collections.min(nanos.subList(from, to));
  }

  /** The slowest iteration except the first. */
  public double worstAfterFirst() {
    return Collections.max(nanos.subList(1, nanos.size()));
  }

  /** The mean over all iterations. */
  public double mean() {
    return nanos.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
