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

/**
 * What runs the same archives on the JVM by native code: libtorch through DJL and, frozen, through
 * bytedeco's binding, and ONNX Runtime on the archives' exports.
 *
 * @param folder has a folder for each with {@code target/classes} and {@code target/cp.txt}; one
 *     that is not there is left out
 * @param models the folder of the archives
 * @param exports the folder of the ONNX files
 */
public record ModelPeers(Path folder, Path models, Path exports, Path logs) {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern MEDIAN = Pattern.compile("median +([0-9.]+) us");
  private static final Map<String, String> ONE_THREAD =
      Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1");

  /** Medians in microseconds by the peer's name, of those that gave one. */
  public Map<String, Double> medians(ModelRow row) {
    Map<String, Double> medians = new LinkedHashMap<>();
    run(medians, "DJL", "djl", List.of("bench.DjlBench", models.toString(), "lat:" + row), row);
    List<String> frozen = List.of("bench.Bench", models.toString(), "lat:1:freeze:" + row);
    run(medians, "libtorch", "bytedeco", frozen, row);
    List<String> exported = List.of("OrtBench", exports.toString(), "1", row.toString());
    run(medians, "ORT", "onnxruntime", exported, row);
    return medians;
  }

  /** What DJL's counterpart of {@link ModelStart} prints; empty if it is not there. */
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

  private void run(
      Map<String, Double> medians, String name, String part, List<String> program, ModelRow row) {
    Path target = folder.resolve(part).resolve("target");
    if (!Files.exists(target.resolve("cp.txt"))) {
      return;
    }
    List<String> command = new ArrayList<>(Programs.java());
    command.add("-Dai.djl.pytorch.num_threads=1");
    command.add("-Dai.djl.pytorch.num_interop_threads=1");
    command.add("-Dai.djl.offline=true");
    command.add("-cp");
    command.add(target.resolve("classes") + ":" + classPath(target));
    command.addAll(program);
    Path log = logs.resolve(part + "-" + row + ".log");
    for (String line : Programs.run(command, ONE_THREAD, log, LIMIT, lines -> false).lines()) {
      Matcher matcher = MEDIAN.matcher(line);
      if (matcher.find()) {
        medians.put(name, Double.valueOf(matcher.group(1)));
      }
    }
  }

  private static String classPath(Path target) {
    try {
      return Files.readString(target.resolve("cp.txt")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
