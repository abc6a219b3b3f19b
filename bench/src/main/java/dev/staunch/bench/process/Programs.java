package dev.staunch.bench.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Runs a program until it ends, has printed enough, or takes too long. */
public final class Programs {
  private Programs() {}

  /**
   * @param lines the standard output
   * @param status the exit status; 0 if the program was stopped because it had printed enough
   */
  public record Result(List<String> lines, int status) {}

  /** The command of the JVM that runs this, with the options that every measured program needs. */
  public static List<String> java() {
    String home = System.getProperty("java.home");
    return List.of(
        home + File.separator + "bin" + File.separator + "java",
        "--enable-native-access=ALL-UNNAMED");
  }

  /**
   * Runs {@code command}.
   *
   * @param environment added to this process's environment
   * @param log takes the error output
   * @param limit the time after which the program is killed
   * @param enough called after each line; tells whether the program may be stopped
   */
  public static Result run(
      List<String> command,
      Map<String, String> environment,
      Path log,
      Duration limit,
      Predicate<List<String>> enough) {
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
      builder.environment().putAll(environment);
      return finish(builder.start(), limit, enough);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Result finish(Process process, Duration limit, Predicate<List<String>> enough)
      throws IOException {
    List<String> lines = new ArrayList<>();
    boolean satisfied = false;
    try (TimeLimit _ = new TimeLimit(limit, process::destroyForcibly);
        BufferedReader reader = process.inputReader()) {
      String line = reader.readLine();
      while (line != null && !satisfied) {
        lines.add(line);
        satisfied = enough.test(lines);
        line = satisfied ? null : reader.readLine();
      }
    } finally {
      if (satisfied) {
        process.destroyForcibly();
      }
    }
    int status = process.onExit().join().exitValue();
    return new Result(lines, satisfied ? 0 : status);
  }
}
