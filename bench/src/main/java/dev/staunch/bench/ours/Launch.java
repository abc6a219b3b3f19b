package dev.staunch.bench.ours;

import dev.staunch.bench.process.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts a JVM for a measurement and reads its figures; empty if it died or hung. */
public final class Launch {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Launch() {}

  public static Map<String, Double> measure(Measurement what, Effort effort, Path logs) {
    List<String> command = new ArrayList<>(Programs.java());
    // As ./staunch starts the runtime.
    command.addAll(List.of("-XX:+UseParallelGC", "-Xmx1g", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Child.class.getName(), what.name(), effort.name()));
    Path log = logs.resolve(what.name().toLowerCase(java.util.Locale.ROOT) + ".log");
    Programs.Result result = Programs.run(command, Map.of(), log, LIMIT, lines -> false);
    Map<String, Double> figures = new HashMap<>();
    if (result.status() == 0) {
      for (String line : result.lines()) {
        int at = line.indexOf('=');
        figures.put(line.substring(0, at), Double.valueOf(line.substring(at + 1)));
      }
    }
    return figures;
  }
}
