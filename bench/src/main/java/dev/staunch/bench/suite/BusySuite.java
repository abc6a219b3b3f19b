package dev.staunch.bench.suite;

import dev.staunch.bench.model.ModelRow;
import dev.staunch.bench.model.ModelTimes;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How much slower requests on all processors become if another process keeps each processor busy;
 * fair shares would be half. The suite compares means, that is, rates: if requests are shorter than
 * a time slice of the scheduler, their median does not show the slices that other processes had.
 *
 * @param rows names of rows to measure; all if empty
 */
public record BusySuite(Session session, Path models, List<String> rows) {
  private static final List<String> SHORT = List.of("mlp_bn@1", "lenet@64");
  private static final double MOST = 2.2;

  /** Measures and judges all rows. */
  public Table run() {
    Table table = new Table();
    List<String> some = session.effort() == Effort.QUICK ? SHORT : ModelSuite.ALL;
    for (String name : rows.isEmpty() ? some : rows) {
      Map<String, Double> alone = ours(ModelRow.of(name), "alone");
      Map<String, Double> beside;
      try (Neighbour _ = Neighbour.onEachProcessor()) {
        beside = ours(ModelRow.of(name), "busy");
      }
      double slower = mean(beside) / mean(alone);
      table.add(
          new Row(
              name,
              text(beside),
              "alone: " + text(alone),
              Comparison.number(slower) + "x slower",
              "<= " + MOST + "x",
              Double.isNaN(slower) ? Verdict.FAILED : Verdict.of(slower <= MOST)));
    }
    return table;
  }

  private static double mean(Map<String, Double> figures) {
    return figures.getOrDefault("mean", Double.NaN);
  }

  private static String text(Map<String, Double> figures) {
    double median = figures.getOrDefault("median", Double.NaN);
    return "%s, median %s"
        .formatted(Comparison.with(mean(figures), "us"), Comparison.number(median));
  }

  private Map<String, Double> ours(ModelRow row, String when) {
    session.progress().accept("ours, " + when + ": " + row);
    return Launch.main(
        ModelTimes.class,
        session.logs().resolve(when + "-" + row + ".log"),
        List.of("-Xmx1g", "-XX:MaxNewSize=128m", "--add-modules=jdk.incubator.vector"),
        models.toString(),
        row.toString(),
        Integer.toString(session.effort().pick(3, 10)),
        Integer.toString(session.effort().pick(2, 5)),
        "1");
  }

  /** Keeps each processor busy from this process until it is closed. */
  private static final class Neighbour implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean busy = true;

    static Neighbour onEachProcessor() {
      Neighbour neighbour = new Neighbour();
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        neighbour.threads.add(Thread.ofPlatform().daemon().start(neighbour::spin));
      }
      return neighbour;
    }

    private void spin() {
      while (busy) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      busy = false;
    }
  }
}
