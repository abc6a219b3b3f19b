package dev.staunch.bench.suite;

import dev.staunch.bench.kernel.KernelTimes;
import dev.staunch.bench.kernel.Roofline;
import dev.staunch.bench.model.ModelInputs;
import dev.staunch.bench.model.ModelLoad;
import dev.staunch.bench.model.ModelPeers;
import dev.staunch.bench.model.ModelRow;
import dev.staunch.bench.model.ModelTimes;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Results;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whole models. For each row, Staunch with the vector kernels and the peers run in turn; a full run
 * repeats this three times and takes the medians. Then Staunch runs once with the plain kernels.
 *
 * @param peers null if there are none
 * @param rows names of rows to measure; all if empty
 * @param page the folder for the page of a run of all rows
 */
public record ModelSuite(
    Session session,
    ModelLoad load,
    Path models,
    @Nullable ModelPeers peers,
    List<String> rows,
    Path page) {
  /** The names of all rows. */
  public static final List<String> ALL =
      List.of(
          "mlp_bn@1",
          "mlp_bn@256",
          "lenet@1",
          "lenet@64",
          "resnet18@1",
          "resnet50@1",
          "lstm@1",
          "lstm_loop@1",
          "bert1@1",
          "bert12@1",
          "dlrm@1",
          "dlrm@128");

  private static final List<String> SHORT = List.of("mlp_bn@1", "resnet18@1");

  /** Rows whose requests are too small for the kernels to decide. */
  private static final Set<String> SMALL = Set.of("mlp_bn@1", "lenet@1", "lstm_loop@1", "dlrm@1");

  /** The goal for each of them, on one thread. */
  private static final double BESIDE_SMALL = 2;

  private static final String DJL = "DJL";

  /** The goal for the geometric mean of the ratios to that peer, on one thread. */
  private static final double BESIDE_DJL = 2;

  /** The tolerance between two sums of results, relative to their size. */
  private static final double SAME = 1e-3;

  /** Measures and judges all rows. */
  public Table run() {
    Table table = new Table();
    List<Double> ratios = new ArrayList<>();
    List<Double> plainRatios = new ArrayList<>();
    List<Double> besideDjl = new ArrayList<>();
    List<String> some = session.effort() == Effort.QUICK ? SHORT : ALL;
    List<String> names = rows.isEmpty() ? some : rows;
    Roofline roofline = roofline();
    for (String name : names) {
      ModelRow row = ModelRow.of(name);
      Samples ours = new Samples();
      Samples theirs = new Samples();
      for (int round = 0; round < session.effort().rounds(); round++) {
        ours.add(ours(row, roofline, "vector", vector()));
        session.progress().accept("peers: " + name);
        theirs.add(peers == null ? Map.of() : peers.figures(row, load));
      }
      Map<String, Double> vector = ours.medians();
      Map<String, Double> others = theirs.medians();
      Map<String, Double> plain = ours(row, roofline, "plain", plain());
      Comparison comparison = compared(vector, others);
      table.add(judged(row, comparison, vector, sums(row, plain), others));
      table.add(bound(vector, load.processors() * roofline.gflops()));
      Comparison plainly = compared(plain, others);
      table.add(plainly.info("  plain kernels").withPeer(""));
      if (load == ModelLoad.ONE_THREAD) {
        table.add(firstCalls(vector, plain));
      }
      ratios.add(comparison.ratio());
      besideDjl.add(ratio(comparison, others.getOrDefault(DJL, Double.NaN)));
      plainRatios.add(plainly.ratio());
    }
    table.add(meanOf(ratios, plainRatios));
    if (load == ModelLoad.ONE_THREAD) {
      table.add(mean("  beside DJL alone", mean(besideDjl), BESIDE_DJL));
    }
    if (names.equals(ALL) && load == ModelLoad.ONE_THREAD && peers != null) {
      String run = session.effort() == Effort.QUICK ? "A quick run" : "A full run";
      Results.write(page, run, table, ALL, ratios);
    }
    return table;
  }

  private Roofline roofline() {
    session.progress().accept("roofline");
    Path log = session.logs().resolve("models-peak.log");
    return Roofline.of(Launch.main(KernelTimes.class, log, vector(), "peak", "1.0", "0.5"));
  }

  /** How near a row comes to what bounds it, as a share of that. */
  private double share(Map<String, Double> figures) {
    double least = figures.getOrDefault("least", Double.NaN) / load.processors();
    return load == ModelLoad.CALLERS
        ? least * figures.getOrDefault("rate", Double.NaN) / 1e6
        : least / figures.getOrDefault("median", Double.NaN);
  }

  private Row bound(Map<String, Double> figures, double peak) {
    double gflop = figures.getOrDefault("gflop", Double.NaN);
    double rate =
        load == ModelLoad.CALLERS
            ? gflop * figures.getOrDefault("rate", Double.NaN)
            : gflop / figures.getOrDefault("median", Double.NaN) * 1e6;
    String share = percent(rate / peak) + " of the peak, " + percent(share(figures));
    String ours = Comparison.with(rate, "GFLOP/s");
    return Row.info("  its work, and its share of what bounds it", ours + ", " + share, "", "");
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? Row.MISSING : Math.round(100 * share) + " %";
  }

  private Row meanOf(List<Double> ratios, List<Double> plainRatios) {
    String plain = Comparison.number(mean(plainRatios));
    String name = "geometric mean (plain kernels: " + plain + "x)";
    return mean(name, mean(ratios), load.mean());
  }

  private static Row mean(String name, double mean, double goal) {
    Verdict verdict = Double.isNaN(mean) ? Verdict.OPEN : Verdict.of(mean >= goal);
    String least = ">= " + Comparison.number(goal) + "x";
    return new Row(name, "", "", Comparison.number(mean) + "x", least, verdict);
  }

  private static double ratio(Comparison toBest, double peer) {
    return new Comparison(toBest.ours(), peer, toBest.unit(), toBest.larger()).ratio();
  }

  /** As {@code ./staunch} starts the runtime. */
  private List<String> plain() {
    String processors = "-XX:ActiveProcessorCount=" + load.processors();
    return List.of("-Xmx1g", processors, "-XX:MaxNewSize=128m");
  }

  private List<String> vector() {
    List<String> options = new ArrayList<>(plain());
    options.add("--add-modules=jdk.incubator.vector");
    return options;
  }

  private Map<String, Double> ours(
      ModelRow row, Roofline roofline, String kernels, List<String> options) {
    session.progress().accept("ours, " + kernels + ": " + row);
    return Launch.main(
        ModelTimes.class,
        session.logs().resolve(kernels + "-" + row + ".log"),
        options,
        models.toString(),
        row.toString(),
        Integer.toString(session.effort().pick(3, 10)),
        Integer.toString(session.effort().pick(1, 2)),
        Integer.toString(load.callers()),
        roofline.toString());
  }

  private Comparison compared(Map<String, Double> ours, Map<String, Double> others) {
    if (load == ModelLoad.CALLERS) {
      double most = others.isEmpty() ? Double.NaN : Collections.max(others.values());
      return Comparison.speed(ours.getOrDefault("rate", Double.NaN), most, "req/s");
    }
    double best = others.isEmpty() ? Double.NaN : Collections.min(others.values());
    return Comparison.time(ours.getOrDefault("median", Double.NaN), best, "us");
  }

  /** The sums of what others answer to the same request, by their names. */
  private Map<String, Double> sums(ModelRow row, Map<String, Double> plain) {
    Map<String, Double> sums = new LinkedHashMap<>();
    sums.put("plain", plain.getOrDefault("sum", Double.NaN));
    if (peers != null) {
      session.progress().accept("answers: " + row);
      Path inputs = models.resolveSibling("inputs").resolve(row.toString());
      Path log = session.logs().resolve("inputs-" + row + ".log");
      Launch.main(ModelInputs.class, log, plain(), inputs.toString(), row.toString());
      sums.putAll(peers.sums(row, inputs));
    }
    return sums;
  }

  private Row judged(
      ModelRow row,
      Comparison comparison,
      Map<String, Double> vector,
      Map<String, Double> sums,
      Map<String, Double> others) {
    double sum = vector.getOrDefault("sum", Double.NaN);
    if (!sums.values().stream().allMatch(other -> agree(sum, other))
        || !sums.keySet().containsAll(others.keySet())) {
      return Row.failed(row.toString(), "results differ: " + sum + ", " + sums);
    }
    String all =
        others.entrySet().stream()
            .map(it -> it.getKey() + " " + Comparison.number(it.getValue()))
            .collect(Collectors.joining(", "));
    return comparison.atLeast(row.toString(), least(row), share(vector)).withPeer(all);
  }

  private static boolean agree(double sum, double other) {
    return Math.abs(sum - other) <= SAME * (1 + Math.abs(other));
  }

  private double least(ModelRow row) {
    return load == ModelLoad.ONE_THREAD && SMALL.contains(row.toString())
        ? BESIDE_SMALL
        : load.leastOfAll();
  }

  private static Row firstCalls(Map<String, Double> vector, Map<String, Double> plain) {
    return Row.info("  first and second call, then plainly", calls(vector), calls(plain), "");
  }

  private static String calls(Map<String, Double> figures) {
    double first = figures.getOrDefault("first", Double.NaN) / 1e3;
    double second = figures.getOrDefault("second", Double.NaN) / 1e3;
    return Comparison.number(first) + " ms, " + Comparison.number(second) + " ms";
  }

  private static double mean(List<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
  }
}
