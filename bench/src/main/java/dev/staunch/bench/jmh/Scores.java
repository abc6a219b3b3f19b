package dev.staunch.bench.jmh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;

/**
 * What one fork measured.
 *
 * @param nanos of one invocation, for each iteration in its turn; never empty
 * @param events what the benchmark counted, over all iterations
 */
public record Scores(List<Double> nanos, Map<String, Double> events) {
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
    return new Scores(nanos, events);
  }

  /** Those of the iterations from {@code from} on and before {@code to}, counted from 0. */
  public Scores between(int from, int to) {
    return new Scores(nanos.subList(from, to), events);
  }

  /** The first iteration. */
  public double first() {
    return nanos.getFirst();
  }

  /** The fastest iteration. */
  public double best() {
    return Collections.min(nanos);
  }

  /** The slowest iteration. */
  public double worst() {
    return Collections.max(nanos);
  }

  /** The mean over all iterations. */
  public double mean() {
    return nanos.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
