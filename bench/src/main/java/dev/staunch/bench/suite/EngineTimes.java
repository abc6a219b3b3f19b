package dev.staunch.bench.suite;

import dev.staunch.bench.jmh.JmhBenchmark;
import dev.staunch.bench.jmh.Schedule;
import dev.staunch.bench.report.Samples;
import dev.staunch.bench.timed.DeadlineWaits;
import dev.staunch.bench.timed.EngineTasks;
import dev.staunch.bench.timed.FaultLives;
import dev.staunch.bench.timed.InPlaceAdditions;
import dev.staunch.bench.timed.InterruptedWaits;
import dev.staunch.bench.timed.ServiceRounds;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets JMH time the benchmarks behind the engine's rows, and selects their figures from the scores.
 */
final class EngineTimes {
  /**
   * Shots of the faults: some warm-up shots, then some hundred thousand faults; the edges of these
   * are measured.
   */
  private static final int WARM_UP = 1_000;

  private static final int SHOTS = WARM_UP + 100_000 / FaultLives.MANY;
  private static final int EDGE = 10;

  private static final int WAITS = 20;

  private final Session session;
  private final Samples into;

  /**
   * @param into takes the figures; those of a failed fork are missing
   */
  EngineTimes(Session session, Samples into) {
    this.session = session;
    this.into = into;
  }

  /**
   * Requests a second: of a process's first 200 rounds, of its last 200, of all; and how requests
   * ended.
   */
  void service() {
    Schedule schedule = Schedule.shots(serviceRounds() / ServiceRounds.BATCH, ServiceRounds.BATCH);
    session
        .time(JmhBenchmark.of(ServiceRounds.class, "round"), schedule)
        .ifPresent(scores -> {
          Map<String, Double> figures = new HashMap<>(scores.events());
          figures.put("rate", requestsPerSecond(scores.mean()));
          figures.put("firstRate", requestsPerSecond(scores.first()));
          figures.put("warmRate", requestsPerSecond(scores.last()));
          into.add(figures);
        });
  }

  /** The number of rounds of the service in one measurement. */
  int serviceRounds() {
    return session.effort().pick(1_000, 2_000);
  }

  /** The number of rounds before the rounds that measure a warm service. */
  int roundsBefore() {
    return serviceRounds() - ServiceRounds.BATCH;
  }

  private static double requestsPerSecond(double nanosOfRound) {
    return ServiceRounds.IN_FLIGHT * 1e9 / nanosOfRound;
  }

  /**
   * Operations on four floats, run on the calling thread and handed over; millions a second,
   * microseconds.
   */
  void operations() {
    JmhBenchmark chained = JmhBenchmark.of(InPlaceAdditions.class, "chained");
    rate("chained", chained.with("handedOver", false));
    rate("chainedOnWorkers", chained.with("handedOver", true));
    JmhBenchmark andWait = JmhBenchmark.of(InPlaceAdditions.class, "andWait");
    micros("roundTrip", andWait.with("handedOver", false));
    micros("roundTripByWorker", andWait.with("handedOver", true));
  }

  /** Empty tasks, run on the calling thread and handed over; millions a second. */
  void tasks() {
    rate("tasks1", tasks("runHere", 1));
    rate("handedTasks1", tasks("handOver", 1));
  }

  /** Empty tasks, each handed to one of four workers; millions a second. */
  void tasksOnFourWorkers() {
    rate("handedTasks4", tasks("handOver", 4));
  }

  private static JmhBenchmark tasks(String method, int workers) {
    return JmhBenchmark.of(EngineTasks.class, method).with("workers", workers);
  }

  private void rate(String figure, JmhBenchmark what) {
    session.best(into, figure, what, nanos -> 1e3 / nanos);
  }

  private void micros(String figure, JmhBenchmark what) {
    session.best(into, figure, what, nanos -> nanos / 1e3);
  }

  /**
   * Microseconds of a thrown fault: the mean of a process's first thousand; the best of ten
   * thousand after a warm-up; the best of ten thousand up to the 100,000th after that.
   */
  void faults() {
    session
        .time(JmhBenchmark.of(FaultLives.class, "failAndThrowMany"), Schedule.shots(SHOTS, 1))
        .ifPresent(scores ->
            into.add(
                Map.of(
                    "coldFault", scores.first() / 1e3,
                    "firstFault", scores.best(WARM_UP, WARM_UP + EDGE) / 1e3,
                    "lastFault", scores.best(SHOTS - EDGE, SHOTS) / 1e3)));
  }

  /** Milliseconds from an interrupt to the waiter's return. */
  void interrupts() {
    int shots = session.effort().pick(7, 21);
    session
        .time(JmhBenchmark.of(InterruptedWaits.class, "interrupt"), Schedule.shots(shots, 1))
        .ifPresent(scores ->
            into.add(
                Map.of(
                    "firstInterrupt", scores.first() / 1e6,
                    "worstInterrupt", scores.worstAfterFirst() / 1e6)));
  }

  /** Milliseconds by which a wait outlasts its deadline; no figure if a wait returned before it. */
  void deadlines() {
    session
        .time(JmhBenchmark.of(DeadlineWaits.class, "await"), Schedule.shots(WAITS, 1))
        .filter(scores -> scores.best() >= DeadlineWaits.BUDGET.toNanos())
        .ifPresent(scores ->
            into.add(
                Map.of(
                    "firstOvershoot", overshootMillis(scores.first()),
                    "worstOvershoot", overshootMillis(scores.worstAfterFirst()))));
  }

  private static double overshootMillis(double nanos) {
    return (nanos - DeadlineWaits.BUDGET.toNanos()) / 1e6;
  }
}
