package dev.staunch.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures by name, one for each round. */
public final class Samples {
  private static final String MEAN = " mean";
  private static final String ERROR = " error";

  private final Map<String, List<Double>> figures = new LinkedHashMap<>();

  public void add(Map<String, Double> round) {
    round.forEach(
        (name, value) -> figures.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
  }

  /** Adds, for one round, the mean of the iterations whose best is {@code name}, and its error. */
  public void addMean(String name, double mean, double error) {
    add(Map.of(name + MEAN, mean, name + ERROR, error));
  }

  /** The median of the means and the largest of their errors, in brackets; empty without any. */
  public String meanText(String name) {
    return has(name + MEAN)
        ? " (mean %s +-%s)"
            .formatted(Comparison.number(median(name + MEAN)), Comparison.number(max(name + ERROR)))
        : "";
  }

  public boolean has(String name) {
    return figures.containsKey(name);
  }

  /** The median over the rounds; NaN if no round gave the figure. */
  public double median(String name) {
    double[] sorted = values(name);
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The median of each figure, in the order in which the figures were first added. */
  public Map<String, Double> medians() {
    Map<String, Double> medians = new LinkedHashMap<>();
    figures.keySet().forEach(name -> medians.put(name, median(name)));
    return medians;
  }

  /** The sum over the rounds. */
  public double sum(String name) {
    double sum = 0;
    for (double value : values(name)) {
      sum += value;
    }
    return sum;
  }

  /** The largest of the rounds; NaN if no round gave the figure. */
  public double max(String name) {
    double[] sorted = values(name);
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length - 1];
  }

  private double[] values(String name) {
    return figures.getOrDefault(name, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .sorted()
        .toArray();
  }
}
