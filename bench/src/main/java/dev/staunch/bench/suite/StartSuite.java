package dev.staunch.bench.suite;

import dev.staunch.bench.model.ModelPeers;
import dev.staunch.bench.model.ModelRow;
import dev.staunch.bench.model.ModelStart;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first moments of a service, beside libtorch through DJL: fresh processes in turn, on all
 * processors, medians.
 *
 * @param peers null if there are none
 */
public record StartSuite(Sitting sitting, Path models, @Nullable ModelPeers peers) {
  private static final String HEAP = "-Xmx1g";
  private static final List<String> PLAIN = List.of(HEAP);
  private static final List<String> VECTOR = List.of(HEAP, "--add-modules=jdk.incubator.vector");
  private static final String QUIET = "-Xlog:aot*=off";
  private static final double MIB = 1 << 20;

  /**
   * What processes printed: with the plain kernels, with those on vectors, with the plain ones and
   * an AOT cache, and the peer's.
   */
  private record Starts(Samples plain, Samples vector, Samples cached, Samples peer) {
    /** Ours beside the peer. */
    void rows(Table table, String name, String figure, String unit, double factor) {
      table.add(comparison(plain, figure, unit).atLeast(name, factor));
      table.add(comparison(cached, figure, unit).info("  with an AOT cache"));
      table.add(comparison(vector, figure, unit).info("  with kernels on vectors"));
    }

    Comparison comparison(Samples ours, String figure, String unit) {
      double scale = unit.equals("MiB") ? MIB : 1;
      return Comparison.time(ours.median(figure) / scale, peer.median(figure) / scale, unit);
    }
  }

  /** Measures all and judges it. */
  public Table run() {
    Table table = new Table();
    Starts small = starts("mlp_bn@1", sitting.effort().pick(3, 9));
    small.rows(table, "process start to first prediction, MLP", "start", "ms", 2);
    small.rows(table, "its second request", "second", "ms", 10);
    small.rows(table, "resident memory at the first prediction", "rss", "MiB", 2);
    List<String> all = List.of("resnet50@1", "bert12@1");
    for (String large : all.subList(0, sitting.effort().pick(1, 2))) {
      Starts starts = starts(large, sitting.effort().pick(1, 5));
      starts.rows(table, "first call, " + large, "first", "ms", 0.5);
    }
    return table;
  }

  private Starts starts(String name, int rounds) {
    ModelRow row = ModelRow.of(name);
    Starts starts = new Starts(new Samples(), new Samples(), new Samples(), new Samples());
    Path cache = sitting.logs().resolve("start-" + row + ".aot");
    ours(new Samples(), row, "training", List.of(HEAP, "-XX:AOTCacheOutput=" + cache, QUIET));
    List<String> cached = List.of(HEAP, "-XX:AOTCache=" + cache, QUIET);
    for (int i = 0; i < rounds; i++) {
      ours(starts.plain(), row, "plain", PLAIN);
      ours(starts.cached(), row, "cached", cached);
      ours(starts.vector(), row, "vector", VECTOR);
      if (peers != null) {
        sitting.progress().accept("peer: start of " + row);
        starts.peer().add(peers.start(row));
      }
    }
    return starts;
  }

  private void ours(Samples into, ModelRow row, String kernels, List<String> options) {
    sitting.progress().accept("ours, " + kernels + ": start of " + row);
    Path log = sitting.logs().resolve("start-" + kernels + "-" + row + ".log");
    String now = Long.toString(System.currentTimeMillis());
    into.add(Launch.main(ModelStart.class, log, options, models.toString(), row.toString(), now));
  }
}
