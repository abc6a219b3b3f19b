package dev.staunch.bench.suite;

import static dev.staunch.bench.report.Comparison.number;

import dev.staunch.bench.counted.ConcurrentFaults;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.report.Comparison;
import dev.staunch.bench.report.Row;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.report.Table;
import dev.staunch.bench.report.Verdict;
import dev.staunch.bench.timed.ServiceRounds;

/** Requests, small operations, tasks, faults and waits. */
public final class EngineSuite {
  /** With more noise, a difference of one percent cannot be judged. */
  private static final int MOST_NOISE_PERCENT = 5;

  private static final String HANDED_OVER = "  each handed to a worker";
  private static final int PEER_WINDOWS_QUICK = 3;
  private static final int PEER_WINDOWS_FULL = 50;

  private final Session session;
  private final Samples ours = new Samples();
  private final Samples peer = new Samples();
  private final EngineTimes times;
  private int runs;

  public EngineSuite(Session session) {
    this.session = session;
    this.times = new EngineTimes(session, ours);
  }

  /** Measures and judges all rows. */
  public Table run() {
    Effort effort = session.effort();
    for (int i = 0; i < effort.rounds(); i++) {
      round();
    }
    int windows = effort.pick(PEER_WINDOWS_QUICK, PEER_WINDOWS_FULL);
    session.peer(peer, "fault_cost", mxnet -> mxnet.faultCost(windows));
    runs = effort.pick(3, 20);
    for (int i = 0; i < runs; i++) {
      session.count(ours, ConcurrentFaults.class);
      session.peer(peer, "concurrent_faults", Mxnet::concurrentFaults);
    }
    if (effort == Effort.FULL) {
      session.peer(peer, "interrupt", Mxnet::interrupt);
    }
    ours.add(FaultCheckRun.measure(session));
    return judge();
  }

  private void round() {
    times.service();
    session.peer(peer, "service", mxnet -> mxnet.service(times.serviceRounds()));
    session.peer(peer, "warm_requests", mxnet -> mxnet.warmRequests(times.roundsBefore()));
    session.peer(peer, "first_requests", Mxnet::firstRequests);
    times.operations();
    times.tasks();
    session.peer(peer, "operations", Mxnet::operations);
    session.peer(peer, "operations_naive", Mxnet::operationsWithoutWorker);
    times.tasksOnFourWorkers();
    session.peer(peer, "tasks_4", Mxnet::tasksOnFourWorkers);
    times.faults();
    times.interrupts();
    times.deadlines();
  }

  private Table judge() {
    Table table = new Table();
    serviceRows(table);
    operationRows(table);
    taskRows(table);
    faultRows(table);
    concurrentRow(table);
    checkRow(table);
    interruptRow(table);
    deadlineRow(table);
    return table;
  }

  private void operationRows(Table table) {
    String chained = "chained x += 1 on 4 floats";
    add(table, "chained", rate("chained", "naiveChained").atLeast(chained, 10));
    add(table, "chained", rate("chained", "bulk").atLeast("  (peer: sixteen in bulk)", 10));
    add(table, "chainedOnWorkers", rate("chainedOnWorkers", "chained").atLeast(HANDED_OVER, 2));
    String waited = "operation + wait, there and back";
    add(table, "roundTrip", waited("roundTrip", "naiveRoundTrip").atLeast(waited, 6));
    add(
        table,
        "roundTripByWorker",
        waited("roundTripByWorker", "roundTrip").atLeast(HANDED_OVER, 2));
  }

  private void taskRows(Table table) {
    add(table, "tasks1", rate("tasks1", "naiveTasks").atLeast("empty task, chained", 4));
    add(table, "handedTasks1", rate("handedTasks1", "tasks1").atLeast(HANDED_OVER, 2));
    add(
        table,
        "handedTasks4",
        rate("handedTasks4", "tasks4").atLeast("  each handed to one of 4 workers", 2));
  }

  private Comparison rate(String our, String other) {
    return Comparison.speed(ours.median(our), peer.median(other), "M/s");
  }

  private Comparison waited(String our, String other) {
    return Comparison.time(ours.median(our), peer.median(other), "us");
  }

  /** Adds {@code row}, which shows the best iteration, together with the mean if there is one. */
  private void add(Table table, String our, Row row) {
    table.add(row.withRemark(ours.meanText(our)));
  }

  private void serviceRows(Table table) {
    table.add(requests("warmRate").atLeast("service, 10,000 valid requests, 51 in flight", 2));
    table.add(requests("rate").info("  " + number(allRequests()) + " from a process's start on"));
    table.add(requests("firstRate").info("  the first 10,200 of a process"));
    if (!ours.has("wrong")) {
      table.add(Row.failed("  wrong / missed / false", "no figure"));
      return;
    }
    boolean right = ours.sum("wrong") + ours.sum("missed") + ours.sum("mistaken") == 0;
    table.add(
        new Row(
            "  wrong / missed / false",
            outcomes(ours),
            outcomes(peer),
            Row.MISSING,
            "0 / 0 / 0",
            Verdict.of(right)));
  }

  private Comparison requests(String rate) {
    return Comparison.speed(ours.median(rate) / 1e3, peer.median(rate) / 1e3, "k/s");
  }

  private double allRequests() {
    return times.serviceRounds() * (double) ServiceRounds.IN_FLIGHT;
  }

  private static String outcomes(Samples of) {
    if (!of.has("wrong")) {
      return Row.MISSING;
    }
    double share = of.sum("wrong") / of.sum("valid") * 100;
    String wrong = share == 0 ? "0" : number(share) + " %";
    return "%s / %s / %s".formatted(wrong, number(of.sum("missed")), number(of.sum("mistaken")));
  }

  private void faultRows(Table table) {
    Comparison first = Comparison.time(ours.median("firstFault"), peer.median("firstFault"), "us");
    table.add(first.row("fault + wait, first", "< 3 us", below(first.ours(), 3)));
    table.add(
        Comparison.time(ours.median("coldFault"), Double.NaN, "us")
            .info("  the first 1,000 of a fresh process, mean"));
    Comparison last = Comparison.time(ours.median("lastFault"), peer.median("lastFault"), "us");
    Verdict flat = Verdict.of(last.ours() <= first.ours() * 1.2);
    String name =
        session.effort() == Effort.FULL
            ? "fault + wait, 100,000th"
            : "fault + wait, 100,000th (peer: 6,000th)";
    table.add(last.row(name, "< 3 us, <= +20 %", below(last.ours(), 3).and(flat)));
  }

  private static Verdict below(double value, double limit) {
    return Verdict.of(value < limit);
  }

  private void concurrentRow(Table table) {
    String name = "%d runs of 200 x 200 concurrent faults, 4 workers".formatted(runs);
    double ended = ours.sum("expected") / ConcurrentFaults.EXPECTED;
    boolean all =
        ended == runs
            && ours.sum("reported") == ours.sum("expected")
            && ours.sum("typed") == ours.sum("expected")
            && ours.sum("wholeBarriers") == runs * 200.0;
    String mine =
        "%s died, %s %% reported"
            .formatted(
                number(runs - ended),
                number(ours.sum("reported") / (runs * (double) ConcurrentFaults.EXPECTED) * 100));
    String other =
        session.peer() == null
            ? Row.MISSING
            : number(runs - peer.sum("ended")) + " died, 1 of 200 reported";
    table.add(new Row(name, mine, other, Row.MISSING, "0 died, all reported", Verdict.of(all)));
  }

  private void checkRow(Table table) {
    String name = "checking inputs for faults, none there";
    if (!ours.has("faultCheckPercent")) {
      table.add(Row.failed(name, "no figure"));
      return;
    }
    double percent = ours.median("faultCheckPercent");
    double noise = ours.median("faultCheckNoisePercent");
    boolean free = percent < 1 || percent < noise;
    table.add(
        new Row(
            name,
            number(percent) + " % (noise +-" + number(noise) + " %)",
            Row.MISSING,
            Row.MISSING,
            "< 1 % or in the noise",
            free && noise >= MOST_NOISE_PERCENT ? Verdict.UNSURE : Verdict.of(free)));
  }

  private void interruptRow(Table table) {
    double other = peer.median("returnedAt") - peer.median("interruptedAt");
    boolean skipped = Double.isNaN(other) && session.peer() != null;
    double worst = ours.max("worstInterrupt");
    Comparison comparison = Comparison.time(worst, other, "ms");
    Row row = comparison.row("interrupt of a waiter, worst", "< 10 ms", below(worst, 10));
    table.add(skipped ? row.withPeer("in the full run only") : row);
    double first = ours.median("firstInterrupt");
    table.add(Comparison.time(first, Double.NaN, "ms").info("  the first of a fresh process"));
  }

  private void deadlineRow(Table table) {
    double worst = ours.max("worstOvershoot");
    table.add(
        Comparison.time(worst, Double.NaN, "ms")
            .row("deadline of a wait, worst overshoot", "< 10 ms", below(worst, 10)));
    double first = ours.median("firstOvershoot");
    table.add(Comparison.time(first, Double.NaN, "ms").info("  the first of a fresh process"));
  }
}
