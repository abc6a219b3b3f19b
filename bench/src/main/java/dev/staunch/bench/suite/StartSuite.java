package dev.staunch.bench.suite;

import dev.staunch.bench.model.ModelLoading;
import dev.staunch.bench.model.ModelPeers;
import dev.staunch.bench.model.ModelRow;
import dev.staunch.bench.model.ModelStart;
import dev.staunch.bench.model.ModelWarming;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first moments of a service, beside libtorch through DJL: medians of fresh processes that run
 * in turn, on all processors.
 *
 * @param peers null if there are none
 */
public record StartSuite(Session session, Path models, @Nullable ModelPeers peers) {
  private static final String HEAP = "-Xmx1g";
  private static final List<String> PLAIN = List.of(HEAP);
  private static final List<String> VECTOR = List.of(HEAP, "--add-modules=jdk.incubator.vector");
  private static final String CACHE = "-XX:AOTCache";
  private static final String QUIET = "-Xlog:aot*=off";
  private static final double MIB = 1 << 20;

  /** The goal for the time to 90 % of the peak. */
  private static final int WARM_SECONDS = 3;

  /** How long requests are sent to find the peak of the MLP, and of others. */
  private static final int PEAK_SECONDS = 15;

  private static final int LATER_PEAK_SECONDS = 40;

  /** Models whose way to the peak a full run shows, too. */
  private static final List<String> OTHERS =
      List.of("lenet@1", "lstm@1", "dlrm@1", "bert1@1", "resnet18@1");

  /** The goals for loading 500 MB: the time, the part of it that copying needs, and the heap. */
  private static final double LOADING_SECONDS = 1;

  private static final double COPYING = 0.9;
  private static final double LOADING_MIB = 50;

  /**
   * The figures of the processes: both sets of kernels, each without and with an AOT cache, and the
   * peer.
   */
  private record Starts(
      Samples plain, Samples cached, Samples vector, Samples cachedVector, Samples peer) {
    Starts() {
      this(new Samples(), new Samples(), new Samples(), new Samples(), new Samples());
    }

    /** Adds the rows that compare Staunch with the peer. */
    void rows(Table table, String name, String figure, String unit, double factor) {
      table.add(comparison(plain, figure, unit).atLeast(name, factor));
      table.add(comparison(cached, figure, unit).info("  with an AOT cache"));
      table.add(comparison(vector, figure, unit).info("  with kernels on vectors"));
      table.add(comparison(cachedVector, figure, unit).info("  with both"));
    }

    Comparison comparison(Samples ours, String figure, String unit) {
      double scale = unit.equals("MiB") ? MIB : 1;
      return Comparison.time(ours.median(figure) / scale, peer.median(figure) / scale, unit);
    }
  }

  /** Measures and judges all rows. */
  public Table run() {
    Table table = new Table();
    Starts small = starts("mlp_bn@1", session.effort().pick(3, 9));
    small.rows(table, "process start to first prediction, MLP", "start", "ms", 2);
    small.rows(table, "its second request", "second", "ms", 10);
    small.rows(table, "resident memory at the first prediction", "rss", "MiB", 2);
    warming(table, "mlp_bn@1", session.effort().pick(1, 5));
    for (String other : OTHERS.subList(0, session.effort().pick(0, OTHERS.size()))) {
      Samples vector = new Samples();
      warming(vector, ModelRow.of(other), "vector", VECTOR, LATER_PEAK_SECONDS);
      String ninety = Comparison.with(vector.median("ninety") / 1000, "s");
      table.add(Row.info("process start to 90 % of peak speed, " + other, ninety, "", ""));
    }
    loading(table, session.effort().pick(3, 9));
    List<String> all = List.of("resnet50@1", "bert12@1");
    for (String large : all.subList(0, session.effort().pick(1, 2))) {
      Starts starts = starts(large, session.effort().pick(1, 5));
      starts.rows(table, "first call, " + large, "first", "ms", 0.5);
    }
    return table;
  }

  /** How a small model becomes fast by requests alone, and by a warm-up before the first. */
  private void warming(Table table, String name, int rounds) {
    ModelRow row = ModelRow.of(name);
    Samples plain = new Samples();
    Samples vector = new Samples();
    Samples warmed = new Samples();
    for (int i = 0; i < rounds; i++) {
      warming(plain, row, "plain", PLAIN, PEAK_SECONDS);
      warming(vector, row, "vector", VECTOR, PEAK_SECONDS);
      warming(warmed, row, "warm-up", VECTOR, 0);
    }
    table.add(ninety("process start to 90 % of peak speed, MLP", vector));
    table.add(ninety("  of the plain kernels' peak, with these", plain));
    double usual = warmed.median("usual");
    String figures =
        "%s us, usually %s us"
            .formatted(
                Comparison.number(1000 * warmed.median("second")), Comparison.number(1000 * usual));
    table.add(Row.info("second request after Model.warmUp", figures, "", ""));
    String ready = Comparison.with(warmed.median("warm") / 1000, "s");
    table.add(Row.info("  process start to its end", ready, "", ""));
  }

  private void loading(Table table, int rounds) {
    Samples copied = new Samples();
    Samples mapped = new Samples();
    loading("false"); // makes the archive, and brings it into the system's memory
    for (int i = 0; i < rounds; i++) {
      copied.add(loading("false"));
      mapped.add(loading("true"));
    }
    double load = copied.median("load");
    table.add(
        Comparison.time(load, copied.median("read"), "ms")
            .atLeast("loading 500 MB, beside a copy of the file", COPYING));
    double seconds = mapped.median("load") / 1000;
    table.add(least("  mapped", seconds, "s", LOADING_SECONDS));
    double heap = Math.max(copied.median("heap"), mapped.median("heap")) / MIB;
    table.add(least("  heap that either takes", heap, "MiB", LOADING_MIB));
  }

  private Map<String, Double> loading(String mapped) {
    session.progress().accept("ours: loading, mapped: " + mapped);
    Path log = session.logs().resolve("loading-" + mapped + ".log");
    Path archive = models.resolveSibling("large.pt");
    return Launch.main(ModelLoading.class, log, PLAIN, archive.toString(), mapped);
  }

  private static Row ninety(String name, Samples samples) {
    return least(name, samples.median("ninety") / 1000, "s", WARM_SECONDS);
  }

  private static Row least(String name, double figure, String unit, double goal) {
    return new Row(
        name,
        Comparison.with(figure, unit),
        "",
        "",
        "<= " + Comparison.with(goal, unit),
        Double.isNaN(figure) ? Verdict.FAILED : Verdict.of(figure <= goal));
  }

  private void warming(Samples into, ModelRow row, String kind, List<String> options, int seconds) {
    session.progress().accept("ours, " + kind + ": warming of " + row);
    into.add(
        Launch.main(
            ModelWarming.class,
            session.logs().resolve("warming-" + kind + "-" + row + ".log"),
            options,
            models.toString(),
            row.toString(),
            Long.toString(System.currentTimeMillis()),
            Integer.toString(seconds)));
  }

  private Starts starts(String name, int rounds) {
    ModelRow row = ModelRow.of(name);
    Starts starts = new Starts();
    List<String> plain = cached(row, "plain", PLAIN);
    List<String> vector = cached(row, "vector", VECTOR);
    for (int i = 0; i < rounds; i++) {
      ours(starts.plain(), row, "plain", PLAIN);
      ours(starts.cached(), row, "plain-cached", plain);
      ours(starts.vector(), row, "vector", VECTOR);
      ours(starts.cachedVector(), row, "vector-cached", vector);
      if (peers != null) {
        session.progress().accept("peer: start of " + row);
        starts.peer().add(peers.start(row));
      }
    }
    return starts;
  }

  /**
   * The options of a process that uses a cache, which a process with {@code options} writes first.
   */
  private List<String> cached(ModelRow row, String kernels, List<String> options) {
    Path cache = session.logs().resolve("start-" + kernels + "-" + row + ".aot");
    ours(new Samples(), row, "training-" + kernels, with(options, CACHE + "Output=" + cache));
    return with(options, CACHE + "=" + cache);
  }

  private static List<String> with(List<String> options, String cache) {
    return Stream.concat(options.stream(), Stream.of(cache, QUIET)).toList();
  }

  private void ours(Samples into, ModelRow row, String kernels, List<String> options) {
    session.progress().accept("ours, " + kernels + ": start of " + row);
    Path log = session.logs().resolve("start-" + kernels + "-" + row + ".log");
    String now = Long.toString(System.currentTimeMillis());
    into.add(Launch.main(ModelStart.class, log, options, models.toString(), row.toString(), now));
  }
}
