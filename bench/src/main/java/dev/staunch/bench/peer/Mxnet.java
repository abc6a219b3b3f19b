package dev.staunch.bench.peer;

import dev.staunch.bench.process.Programs;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * MXNet 1.9.1 through its own programs. Each method runs one program and returns its figures by
 * name. A figure is missing if the program did not print it, because it died or hung or because
 * there is no peer.
 *
 * @param folder the built programs
 * @param logs takes their error output
 * @param quick runs a shorter form of the programs that time operations
 */
public record Mxnet(Path folder, Path logs, boolean quick) {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Map<String, String> ONE_WORKER = Map.of();
  private static final Map<String, String> FOUR_WORKERS = Map.of("MXNET_CPU_WORKER_NTHREADS", "4");
  private static final Map<String, String> NO_WORKER = Map.of("MXNET_ENGINE_TYPE", "NaiveEngine");

  /** 51 requests in flight, one invalid request in each round. */
  public Map<String, Double> service(int rounds) {
    Figures figures =
        new Figures()
            .after("valid", "^valid requests")
            .after("right", ": right")
            .after("mistaken", "somebody else's error")
            .after("wrong", "SILENTLY WRONG")
            .after("missed", "MISSED \\(returned a result\\)")
            .before("rate", "requests/s");
    return run(figures, ONE_WORKER, "bench.Service", Integer.toString(rounds));
  }

  /** The rate of 200 rounds, 10,000 valid requests, after {@code before} other rounds. */
  public Map<String, Double> warmRequests(int before) {
    Figures figures = new Figures().before("warmRate", "requests/s");
    return run(figures, ONE_WORKER, "bench.Warm", Integer.toString(before), "200");
  }

  /** The rate of the first 200 rounds of a process, 10,000 valid requests; excludes start-up. */
  public Map<String, Double> firstRequests() {
    Figures figures = new Figures().before("firstRate", "requests/s");
    return run(figures, ONE_WORKER, "bench.Service", "200");
  }

  /**
   * Small operations and empty tasks on the engine that runs them on the calling thread, the choice
   * of a user for whom a hand-over costs too much; millions a second, microseconds.
   */
  public Map<String, Double> operationsWithoutWorker() {
    Figures figures =
        new Figures()
            .after("naiveChained", "chained x \\+= 1 on float\\[4\\], 1e5 ops")
            .after("naiveTasks", "engine only: empty native task, chained")
            .after("naiveRoundTrip", "x \\+= 1 then wait, each time \\(round trip\\)");
    return run(figures, NO_WORKER, timing(), "ops");
  }

  /** Small operations and empty tasks, each handed to a worker; also sixteen at a time. */
  public Map<String, Double> operations() {
    Figures figures =
        new Figures()
            .after("chained", "chained x \\+= 1 on float\\[4\\], 1e5 ops")
            .after("bulk", "chained x \\+= 1, bulk size 16")
            .after("tasks1", "engine only: empty native task, chained")
            .after("roundTrip", "x \\+= 1 then wait, each time \\(round trip\\)");
    return run(figures, ONE_WORKER, timing(), "ops");
  }

  /** Empty tasks on four workers; millions a second. */
  public Map<String, Double> tasksOnFourWorkers() {
    Figures figures = new Figures().after("tasks4", "engine only: empty native task, chained");
    return run(figures, FOUR_WORKERS, timing(), "ops");
  }

  private String timing() {
    return quick ? "bench.Short" : "bench.Bench";
  }

  /** The cost of a failing operation at first, and after {@code windows} times 2,000 of them. */
  public Map<String, Double> faultCost(int windows) {
    String cost = ", us per failing op\\+wait ->";
    Figures figures =
        new Figures()
            .after("firstFault", "failures so far 2000" + cost)
            .after("lastFault", "failures so far " + windows * 2000 + cost);
    return run(figures, ONE_WORKER, "bench.Probe", "failcost", Integer.toString(windows));
  }

  /** One run of 200 times 200 failing operations; {@code ended} is missing if the run died. */
  public Map<String, Double> concurrentFaults() {
    Figures figures =
        new Figures()
            .after("thrown", "waitall rounds that threw / did not ->")
            .flag("ended", "\\[main ends\\]");
    return run(figures, FOUR_WORKERS, "bench.Probe", "racewaitall", "200", "200");
  }

  /** Milliseconds from the interrupt of a waiter until it returned. */
  public Map<String, Double> interrupt() {
    Figures figures =
        new Figures()
            .after("interruptedAt", "interrupted at ms ->")
            .after("returnedAt", "waiter returned after ms ->");
    return run(figures, ONE_WORKER, "bench.Probe", "interrupt");
  }

  /** 400 failed tensors of 4 MiB, freed without a wait. */
  public Map<String, Double> failedAndFreed() {
    Figures figures = new Figures().after("residentMiB", "freed: RSS growth MiB ->");
    return run(figures, ONE_WORKER, "bench.Probe", "leak", "unwaited");
  }

  /** Nanoseconds to make and free four floats through the C interface. */
  public Map<String, Double> createFree() {
    Figures figures =
        new Figures().after("native4", "create\\+free float\\[4\\], eager allocation");
    return run(figures, ONE_WORKER, "bench.Bench", "life");
  }

  /** Nanoseconds for the same, and for 1,024 floats, through DJL, as a JVM program would do it. */
  public Map<String, Double> createCloseDjl() {
    Figures figures =
        new Figures()
            .after("djl4", "DJL create\\(Shape\\(4\\)\\) \\+ close")
            .after("djl1024", "DJL create\\(Shape\\(1024\\)\\) \\+ close");
    return run(figures, ONE_WORKER, "bench.Djl");
  }

  /** Megabytes of CSV a second, 64 float columns, with one parsing thread. */
  public Map<String, Double> csv() {
    Figures figures = new Figures().after("csv", "CSVIter 20000 x 64 floats, batch 128");
    return run(figures, Map.of("OMP_NUM_THREADS", "1"), "bench.Bench", "csv");
  }

  private Map<String, Double> run(
      Figures figures, Map<String, String> environment, String... program) {
    List<String> command = new ArrayList<>(Programs.java());
    command.add("-Dmx.dir=" + folder.resolve("native"));
    command.add("-XX:ErrorFile=" + logs.resolve("crash-%p.log"));
    command.add("-cp");
    command.add(classPath());
    command.addAll(List.of(program));
    String name = String.join("-", program).toLowerCase(Locale.ROOT);
    Programs.run(command, environment, logs.resolve(name + ".log"), LIMIT, figures::complete);
    return figures.found();
  }

  private String classPath() {
    Path target = folder.resolve("target");
    return String.join(
        File.pathSeparator,
        target.resolve("classes").toString(),
        folder.resolve("short").toString(),
        target.resolve("lib") + File.separator + "*");
  }
}
