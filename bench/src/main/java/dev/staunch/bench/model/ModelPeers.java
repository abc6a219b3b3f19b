package dev.staunch.bench.model;

import dev.staunch.bench.process.Launch;
import dev.staunch.bench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Native runtimes that run the same archives from the JVM: libtorch through DJL and, frozen,
 * through bytedeco's binding, and ONNX Runtime on the archives' exports.
 *
 * @param folder has a folder for each peer with {@code target/classes} and {@code target/cp.txt}; a
 *     missing peer is left out
 * @param models the folder of the archives
 * @param exports the folder of the ONNX files
 */
public record ModelPeers(Path folder, Path models, Path exports, Path logs) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern EAGER =
      Pattern.compile("add\\(1\\)\\.close\\(\\) size 1: ([0-9.]+) us");
  private static final Pattern LOOP = Pattern.compile("loops (\\w+): ([0-9.]+) us");
  private static final Pattern FIGURE = Pattern.compile("median +([0-9.]+) us|([0-9.]+) req/s");

  /**
   * Medians in microseconds by the name of the peer, for peers that gave one. If several threads
   * send requests, the figures are requests a second, and libtorch is not frozen.
   */
  public Map<String, Double> figures(ModelRow row, ModelLoad load) {
    Map<String, Double> figures = new LinkedHashMap<>();
    boolean several = load == ModelLoad.CALLERS;
    String threads = Integer.toString(load.threadsOfRequest());
    String rate = "rps:" + load.callers() + ":" + row;
    String folder = models.toString();
    String latency = "lat:" + threads + ":freeze:" + row;
    run(figures, "DJL", "djl", load, row, "bench.DjlBench", folder, several ? rate : "lat:" + row);
    run(
        figures,
        "libtorch",
        "bytedeco",
        load,
        row,
        "bench.Bench",
        folder,
        several ? rate : latency);
    run(
        figures,
        "ORT",
        "onnxruntime",
        load,
        row,
        several ? "Rate" : "OrtBench",
        exports.toString(),
        several ? Integer.toString(load.callers()) : threads,
        row.toString());
    return figures;
  }

  /**
   * What each peer answers to the inputs in a folder that {@link ModelInputs} has written: the sum
   * of the result's elements, weighted as {@link ModelTimes} does, by the name of the peer.
   */
  public Map<String, Double> sums(ModelRow row, Path inputs) {
    String archive = models.resolve(row.model() + ".pt").toString();
    String export = exports.resolve(row.toString().replace('@', '_') + ".onnx").toString();
    Map<String, Double> sums = new LinkedHashMap<>();
    for (List<String> it :
        List.of(
            List.of("DJL", "djl", "Djl", archive),
            List.of("libtorch", "bytedeco", "Libtorch", archive),
            List.of("ORT", "onnxruntime", "Onnx", export))) {
      List<String> lines =
          lines(it.get(1), "answer-" + row, 1, it.get(2), it.get(3), inputs.toString());
      Double sum = Launch.figures(lines).get("sum");
      if (sum != null) {
        sums.put(it.getFirst(), sum);
      }
    }
    return sums;
  }

  /** The output of DJL's counterpart of {@link ModelStart}; empty if it is not there. */
  public Map<String, Double> start(ModelRow row) {
    Path target = folder.resolve("djl").resolve("target");
    if (!Files.exists(target.resolve("start"))) {
      return Map.of();
    }
    List<String> command = new ArrayList<>(Programs.java());
    command.add("-Dai.djl.offline=true");
    command.add("-cp");
    command.add(target.resolve("start") + ":" + classPath(target));
    command.addAll(List.of("Start", models.toString(), row.model()));
    command.add(Long.toString(System.currentTimeMillis()));
    Path log = logs.resolve("start-djl-" + row + ".log");
    return Launch.figures(Programs.run(command, Map.of(), log, LIMIT, lines -> false).lines());
  }

  /** Microseconds of {@code x.add(1)} on one element, with its result closed at once. */
  public Map<String, Double> eagerOperations() {
    Map<String, Double> figures = new LinkedHashMap<>();
    List<List<String>> programs =
        List.of(
            List.of("DJL", "djl", "bench.DjlBench"),
            List.of("libtorch", "bytedeco", "bench.Bench"));
    for (List<String> it : programs) {
      for (String line : lines(it.get(1), "operations", 1, it.get(2), models.toString(), "ops")) {
        Matcher matcher = EAGER.matcher(line);
        if (matcher.find()) {
          figures.put(it.getFirst(), Double.valueOf(matcher.group(1)));
        }
      }
    }
    return figures;
  }

  /** Microseconds per iteration of libtorch's loops, by the name of the method. */
  public Map<String, Double> loops() {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String line : lines("bytedeco", "loops", 1, "bench.Bench", models.toString(), "loops:1")) {
      Matcher matcher = LOOP.matcher(line);
      if (matcher.find()) {
        figures.put(matcher.group(1), Double.valueOf(matcher.group(2)));
      }
    }
    return figures;
  }

  private void run(
      Map<String, Double> figures,
      String name,
      String part,
      ModelLoad load,
      ModelRow row,
      String... program) {
    for (String line : lines(part, row.toString(), load.threadsOfRequest(), program)) {
      Matcher matcher = FIGURE.matcher(line);
      if (matcher.find()) {
        String figure = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        figures.put(name, Double.valueOf(figure));
      }
    }
  }

  /** The output of a peer's program; empty if it is not there. */
  private List<String> lines(String part, String what, int threads, String... program) {
    Path target = folder.resolve(part).resolve("target");
    if (!Files.exists(target.resolve("cp.txt"))) {
      return List.of();
    }
    List<String> command = new ArrayList<>(Programs.java());
    command.add("-Dai.djl.pytorch.num_threads=" + threads);
    command.add("-Dai.djl.pytorch.num_interop_threads=1");
    command.add("-Dai.djl.offline=true");
    command.add("-cp");
    List<Path> classes =
        List.of(target.resolve("classes"), target.resolve("rate"), target.resolve("answers"));
    command.add(
        classes.stream().map(Path::toString).collect(Collectors.joining(":", "", ":"))
            + classPath(target));
    command.addAll(List.of(program));
    String count = Integer.toString(threads);
    Map<String, String> environment =
        Map.of("OMP_NUM_THREADS", count, "OPENBLAS_NUM_THREADS", count);
    Path log = logs.resolve(part + "-" + what + ".log");
    return Programs.run(command, environment, log, LIMIT, lines -> false).lines();
  }

  private static String classPath(Path target) {
    try {
      return Files.readString(target.resolve("cp.txt")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
