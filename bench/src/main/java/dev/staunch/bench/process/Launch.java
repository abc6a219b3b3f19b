package dev.staunch.bench.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a main class of this module in a fresh JVM and reads the figures that it prints. */
public final class Launch {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Launch() {}

  /**
   * Runs {@code type}, which prints {@code name=value} lines; empty if the JVM died or hung.
   *
   * @param log takes the error output
   * @param heap the option for the heap size
   */
  public static Map<String, Double> main(
      Class<?> type, Path log, String heap, String... arguments) {
    return main(type, log, List.of(heap), arguments);
  }

  /** As above, with any options for the JVM. */
  public static Map<String, Double> main(
      Class<?> type, Path log, List<String> options, String... arguments) {
    List<String> command = new ArrayList<>(Programs.java());
    // As ./staunch starts the runtime.
    command.add("-XX:+UseParallelGC");
    command.addAll(options);
    command.add("-cp");
    command.addAll(List.of(System.getProperty("java.class.path"), type.getName()));
    command.addAll(List.of(arguments));
    Programs.Result result = Programs.run(command, Map.of(), log, LIMIT, lines -> false);
    return result.status() == 0 ? figures(result.lines()) : Map.of();
  }

  /** The {@code name=value} lines among {@code lines}. */
  public static Map<String, Double> figures(List<String> lines) {
    Map<String, Double> figures = new HashMap<>();
    for (String line : lines) {
      int at = line.indexOf('=');
      if (at > 0) {
        figures.put(line.substring(0, at), Double.valueOf(line.substring(at + 1)));
      }
    }
    return figures;
  }
}
