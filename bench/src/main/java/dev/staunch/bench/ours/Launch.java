package dev.staunch.bench.ours;

import dev.staunch.bench.process.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Starts a JVM for a measurement and reads its figures; empty if it died or hung. */
public final class Launch {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Launch() {}

  /** Takes {@code what} once. */
  public static Map<String, Double> measure(Measurement what, Effort effort, Path logs) {
    Path log = logs.resolve(what.name().toLowerCase(Locale.ROOT) + ".log");
    return main(Child.class, log, "-Xmx1g", what.name(), effort.name());
  }

  /**
   * Runs a main class of this module that prints {@code name=value} lines.
   *
   * @param log takes its error output
   * @param heap the option for the heap's size
   */
  public static Map<String, Double> main(
      Class<?> type, Path log, String heap, String... arguments) {
    List<String> command = new ArrayList<>(Programs.java());
    // As ./staunch starts the runtime.
    command.addAll(List.of("-XX:+UseParallelGC", heap, "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), type.getName()));
    command.addAll(List.of(arguments));
    Programs.Result result = Programs.run(command, Map.of(), log, LIMIT, lines -> false);
    return result.status() == 0 ? figures(result.lines()) : Map.of();
  }

  private static Map<String, Double> figures(List<String> lines) {
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
