package dev.staunch.bench.suite;

import static dev.staunch.bench.report.Comparison.number;
import static dev.staunch.bench.report.Comparison.with;

import dev.staunch.bench.counted.FailedAndFreed;
import dev.staunch.bench.counted.LargeBlocks;
import dev.staunch.bench.jmh.JmhBenchmark;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import dev.staunch.bench.timed.EagerOperations;
import dev.staunch.bench.timed.TensorLives;

/** The cost of making and freeing tensors, and the memory that stays behind. */
public final class MemorySuite {
  private final Session session;
  private final Samples ours = new Samples();
  private final Samples peer = new Samples();

  public MemorySuite(Session session) {
    this.session = session;
  }

  /** Measures and judges all rows. */
  public Table run() {
    StrategyRows strategies = new StrategyRows(session);
    for (int i = 0; i < session.effort().rounds(); i++) {
      createAndClose();
      session.peer(peer, "create_free", Mxnet::createFree);
      session.peer(peer, "create_close_djl", Mxnet::createCloseDjl);
      session.count(ours, FailedAndFreed.class);
      strategies.round();
    }
    if (session.effort() == Effort.FULL) {
      session.count(ours, LargeBlocks.class);
    }
    session.peer(peer, "failed_and_freed", Mxnet::failedAndFreed);
    Table table = new Table();
    createRows(table);
    failedRows(table);
    lateRows(table);
    strategies.addTo(table);
    return table;
  }

  private void createAndClose() {
    JmhBenchmark create = JmhBenchmark.of(TensorLives.class, "createAndClose");
    nanos("create4", create.with("elements", 4));
    nanos("create1024", create.with("elements", 1024));
    JmhBenchmark onFour = JmhBenchmark.of(TensorLives.class, "createAndCloseOnFourThreads");
    nanos("create4On4", onFour.with("elements", 4));
    nanos("eager4", JmhBenchmark.of(EagerOperations.class, "createAndClose"));
  }

  private void nanos(String figure, JmhBenchmark what) {
    session.best(ours, figure, what, nanos -> nanos);
  }

  private void createRows(Table table) {
    Comparison djl = create("create4", "djl4");
    Row four =
        djl.row("create + close, 4 floats (peer: DJL)", "<= 100 ns", atMost(djl.ours(), 100));
    table.add(four.withRemark(ours.meanText("create4")));
    table.add(create("create4", "native4").info("  (peer: its C interface)"));
    Row many = create("create1024", "djl1024").info("  1,024 floats");
    table.add(many.withRemark(ours.meanText("create1024")));
    table.add(alone("create4On4", "  on 4 threads at once, each"));
    table.add(alone("eager4", "  through an eager context"));
  }

  /** A row for which the peer has no counterpart. */
  private Row alone(String our, String name) {
    Comparison figure = Comparison.time(ours.median(our), Double.NaN, "ns");
    return figure.info(name).withRemark(ours.meanText(our));
  }

  private Comparison create(String our, String other) {
    return Comparison.time(ours.median(our), peer.median(other), "ns");
  }

  private static Verdict atMost(double value, double limit) {
    return Verdict.of(value <= limit);
  }

  private void failedRows(Table table) {
    String name = "400 x 4 MiB failed and freed: bytes held";
    if (!ours.has("residentMiB")) {
      table.add(Row.failed(name, "no figure"));
      return;
    }
    double held = ours.max("bytesAbove");
    String all = number(held) + " B";
    table.add(new Row(name, all, Row.MISSING, Row.MISSING, "0 B", Verdict.of(held == 0)));
    double grown = ours.max("residentMiB");
    table.add(
        new Row(
            "  resident memory grew by",
            number(grown) + " MiB",
            with(peer.median("residentMiB"), "MiB"),
            Row.MISSING,
            "< 40 MiB",
            Verdict.of(grown < 40)));
  }

  private void lateRows(Table table) {
    lateRow(table, "1 GB being made, cancelled: worst of 20 late by", "Cancelled");
    lateRow(table, "  interrupted", "Interrupted");
    lateRow(table, "  out of time", "OutOfTime");
  }

  private void lateRow(Table table, String name, String how) {
    if (session.effort() == Effort.FULL) {
      double worst = ours.max("worst" + how);
      Row row = Comparison.time(worst, Double.NaN, "ms").row(name, "< 10 ms", atMost(worst, 10));
      table.add(row.withRemark(" (median " + number(ours.median("median" + how)) + ")"));
    }
  }
}
