package dev.staunch.bench.suite;

import static dev.staunch.bench.report.Comparison.number;

import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import dev.staunch.bench.strategy.Strategy;
import dev.staunch.bench.strategy.StrategyPlot;
import dev.staunch.bench.strategy.StrategyRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** A training loop with each of the five strategies, as rows and as a plot. */
final class StrategyRows {
  private static final double MIB = 1 << 20;

  private final Session session;
  private final Path folder;
  private final Map<Strategy, Samples> figures = new EnumMap<>(Strategy.class);

  StrategyRows(Session session) {
    this.session = session;
    this.folder = session.logs().resolveSibling("strategies");
    for (Strategy strategy : Strategy.values()) {
      figures.put(strategy, new Samples());
    }
  }

  /** Trains once with each strategy. */
  void round() {
    Effort effort = session.effort();
    figures.forEach((strategy, into) -> {
      session.progress().accept("ours: " + strategy.label());
      into.add(
          Launch.main(
              StrategyRun.class,
              session.logs().resolve("strategy.log"),
              // A heap only as large as the program needs: it is collected when it is full.
              "-Xmx256m",
              strategy.name(),
              Integer.toString(effort.pick(700, 1500)),
              StrategyPlot.file(folder, strategy).toString()));
    });
  }

  void addTo(Table table) {
    boolean empty = true;
    boolean complete = true;
    for (var each : figures.entrySet()) {
      Samples of = each.getValue();
      String name = "training loop: " + each.getKey().label();
      complete &= of.has("bytesLeft");
      empty &= of.has("bytesLeft") && of.max("bytesLeft") == 0;
      table.add(
          of.has("stepMicros") ? Row.info(name, text(of), "planned", "-") : Row.failed(name, "-"));
    }
    String left = empty ? "0 B" : "some";
    table.add(new Row("  bytes held after each", left, "-", "-", "0 B", Verdict.of(empty)));
    if (complete) {
      draw();
    }
  }

  private static String text(Samples of) {
    return "%s ms, peak %s MiB, GC %s ms"
        .formatted(
            number(of.median("stepMicros") / 1e3),
            number(of.median("peakBytes") / MIB),
            number(of.median("gcMillis")));
  }

  /** The path of the plot. */
  Path plot() {
    return folder.resolve("memory-strategies.svg");
  }

  private void draw() {
    try {
      StrategyPlot.draw(folder, plot());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
