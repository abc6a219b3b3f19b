package dev.staunch.bench.suite;

import dev.staunch.bench.model.ModelPeers;
import dev.staunch.bench.model.OperationTimes;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One operation on one element, where all the time is spent on the way to the kernel: called from
 * Java, beside DJL and libtorch's binding, and in a script's loop, beside libtorch.
 *
 * @param peers null if there are none
 */
public record OperationSuite(Session session, Path models, @Nullable ModelPeers peers) {
  private static final double FACTOR = 10;

  /** Measures and judges all rows. */
  public Table run() {
    session.progress().accept("ours: operations");
    Map<String, Double> ours =
        Launch.main(
            OperationTimes.class,
            session.logs().resolve("operations.log"),
            "-Xmx1g",
            models.toString(),
            Integer.toString(session.effort().pick(2, 5)),
            Integer.toString(session.effort().pick(1, 3)));
    session.progress().accept("peers: operations");
    Map<String, Double> eager = peers == null ? Map.of() : peers.eagerOperations();
    Map<String, Double> loops = peers == null ? Map.of() : peers.loops();
    Table table = new Table();
    table.add(judged("x.add(1), closed", "eager", ours, eager, 0.35));
    table.add(judged("torch.add(x, 1) in a script", "forward", ours, of(loops, "forward"), 0.17));
    table.add(judged("y.add_(1) in a script", "inplace", ours, of(loops, "inplace"), 0.17));
    table.add(compared(ours, "ints", of(loops, "ints")).info("s = s + i % 7 in a script"));
    table.add(compared(ours, "lists", of(loops, "lists")).info("l.append(i) in a script"));
    return table;
  }

  private static Map<String, Double> of(Map<String, Double> loops, String method) {
    return loops.containsKey(method) ? Map.of("libtorch", loops.get(method)) : Map.of();
  }

  private static Comparison compared(
      Map<String, Double> ours, String figure, Map<String, Double> others) {
    double best = others.values().stream().mapToDouble(it -> it).min().orElse(Double.NaN);
    return Comparison.time(ours.getOrDefault(figure, Double.NaN), best, "us");
  }

  /** The goal is ten times the speed of the best peer, or at most {@code limit} microseconds. */
  private static Row judged(
      String name,
      String figure,
      Map<String, Double> ours,
      Map<String, Double> others,
      double limit) {
    Comparison comparison = compared(ours, figure, others);
    String goal = ">= " + Comparison.number(FACTOR) + "x or <= " + limit + " us";
    Verdict verdict = Verdict.of(comparison.ratio() >= FACTOR || comparison.ours() <= limit);
    String all =
        others.entrySet().stream()
            .map(it -> it.getKey() + " " + Comparison.number(it.getValue()))
            .collect(Collectors.joining(", "));
    return comparison.row(name, goal, verdict).withPeer(all);
  }
}
