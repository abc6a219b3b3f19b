package dev.staunch.bench.suite;

import dev.staunch.bench.kernel.BreadthCase;
import dev.staunch.bench.kernel.BreadthPeer;
import dev.staunch.bench.kernel.BreadthTimes;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ordinary operations on about a million elements, on one thread, with both sets of kernels, beside
 * PyTorch. Models spend little time in these operations, so Staunch may be slower, but not by an
 * order of magnitude.
 *
 * @param list names the operations
 * @param peer null if it is absent
 */
public record BreadthSuite(Session session, Path list, @Nullable BreadthPeer peer) {
  /** As a ratio to PyTorch, with the kernels on vectors. */
  private static final double GOAL = 0.5;

  /** Measures and judges all operations. */
  public Table run() {
    boolean quick = session.effort() == Effort.QUICK;
    Map<String, Double> vector = ours("vector", quick);
    Map<String, Double> plain = ours("plain", quick);
    session.progress().accept("peer: breadth");
    Map<String, Double> others = peer == null ? Map.of() : peer.times(list, quick, 0.2);
    Table table = new Table();
    List<Double> ratios = new ArrayList<>();
    List<Double> plainRatios = new ArrayList<>();
    for (BreadthCase each : BreadthCase.read(list)) {
      if (each.quick() || !quick) {
        Comparison comparison = compared(each.name(), vector, others);
        Comparison plainly = compared(each.name(), plain, others);
        table.add(
            comparison.atLeast(each.name(), GOAL).withRemark(" (plain " + text(plainly) + ")"));
        ratios.add(comparison.ratio());
        plainRatios.add(plainly.ratio());
      }
    }
    String mean = Comparison.number(mean(ratios)) + "x";
    String plainMean = Comparison.number(mean(plainRatios)) + "x";
    table.add(Row.info("geometric mean (plain kernels: " + plainMean + ")", "", "", mean));
    return table;
  }

  private static String text(Comparison plainly) {
    return Comparison.number(plainly.ours());
  }

  private Map<String, Double> ours(String kernels, boolean quick) {
    session.progress().accept("ours, " + kernels + ": breadth");
    return Launch.main(
        BreadthTimes.class,
        session.logs().resolve("breadth-" + kernels + ".log"),
        List.of("-Xmx1g", "-XX:ActiveProcessorCount=1", "--add-modules=jdk.incubator.vector"),
        list.toString(),
        kernels,
        Boolean.toString(quick),
        Double.toString(session.effort().pick(9, 6) / 10.0),
        Double.toString(session.effort().pick(2, 3) / 10.0));
  }

  private static Comparison compared(
      String name, Map<String, Double> ours, Map<String, Double> others) {
    return Comparison.time(
        ours.getOrDefault(name, Double.NaN), others.getOrDefault(name, Double.NaN), "us");
  }

  private static double mean(List<Double> ratios) {
    return Math.exp(
        ratios.stream()
            .filter(ratio -> !Double.isNaN(ratio))
            .mapToDouble(Math::log)
            .average()
            .orElse(Double.NaN));
  }
}
