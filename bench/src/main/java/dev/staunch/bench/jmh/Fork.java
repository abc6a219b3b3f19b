package dev.staunch.bench.jmh;

import dev.staunch.bench.process.TimeLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Lets JMH run one benchmark in a separate JVM, started as {@code ./staunch} starts the runtime.
 *
 * @param logs takes JMH's output, mean and error included, in one file for each benchmark
 * @param limit the time after which the JVM is killed
 */
public record Fork(Path logs, Duration limit) {
  private static final String[] JVM = {
    "-Xmx1g",
    "-XX:+UseParallelGC",
    "--enable-native-access=ALL-UNNAMED",
    // JMH inspects objects through Unsafe; the JVM need not warn each time.
    "--sun-misc-unsafe-memory-access=allow"
  };

  /** Measures; empty if the JVM died, hung or threw. Its log is then kept as {@code failed-...}. */
  public Optional<Scores> run(JmhBenchmark what, Schedule schedule) {
    Path log = logs.resolve(what.label() + ".log");
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(what.pattern())
        .forks(1)
        .jvmArgs(JVM)
        .timeUnit(TimeUnit.NANOSECONDS)
        .shouldFailOnError(true)
        .output(log.toString());
    schedule.applyTo(options);
    what.parameters().forEach(options::param);
    try {
      Files.createDirectories(logs);
      return measure(options, schedule, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Scores> measure(OptionsBuilder options, Schedule schedule, Path log)
      throws IOException {
    try (TimeLimit _ = new TimeLimit(limit, Fork::killJvm)) {
      var result = new Runner(options.build()).runSingle().getAggregatedResult();
      return Optional.of(Scores.of(result, schedule));
    } catch (RunnerException e) {
      Path kept = log.resolveSibling("failed-" + log.getFileName());
      Files.move(log, kept, StandardCopyOption.REPLACE_EXISTING);
      return Optional.empty();
    }
  }

  /** JMH does not tell which process it started; this process has no other child at that time. */
  private static void killJvm() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
  }
}
