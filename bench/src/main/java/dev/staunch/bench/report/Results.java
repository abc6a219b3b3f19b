package dev.staunch.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The page that a run of all whole models writes: {@code results.md} with its plot. */
public final class Results {
  private Results() {}

  /**
   * Writes the page and {@code results.svg} into {@code folder}.
   *
   * @param run what kind of run it was, as the page begins
   */
  public static void write(
      Path folder, String run, Table table, List<String> names, List<Double> ratios) {
    List<String> lines = new ArrayList<>();
    lines.add("# Whole models beside their peers");
    lines.add("");
    lines.add(
        run
            + " of `bench/run models` wrote this page on "
            + machine()
            + ". [README](README.md) says what the");
    lines.add("rows are; the ratio is to the best of the peers, above 1 is faster.");
    lines.add("");
    lines.add("![How many times as fast as the best peer each model runs](results.svg)");
    lines.add("");
    lines.addAll(table.markdown());
    try {
      Files.write(folder.resolve("results.md"), lines);
      RatioPlot.draw("Whole models, one thread", names, ratios, folder.resolve("results.svg"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String machine() {
    String processor = "an unknown processor";
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      processor =
          lines
              .filter(line -> line.startsWith("model name"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse(processor);
    } catch (IOException | UncheckedIOException e) {
      // Not Linux.
    }
    return processor + ", " + LocalDate.now(ZoneOffset.UTC);
  }
}
