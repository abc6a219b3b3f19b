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
 * Lets JMH run one benchmark in a JVM of its own, as {@code ./staunch} starts the runtime.
 *
 * @param logs takes what JMH prints, mean and error included, one file for each benchmark
 * @param limit after which the JVM is killed
 */
public record Fork(Path logs, Duration limit) {
  private static final String[] JVM = {
    "-Xmx1g",
    "-XX:+UseParallelGC",
    "--enable-native-access=ALL-UNNAMED",
    // JMH looks at objects through Unsafe; the JVM need not say so each time.
    "--sun-misc-unsafe-memory-access=allow"
  };

  /** Measures; empty if the JVM died, hung or threw, whose log is kept as {@code failed-...}. */
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

  /** JMH tells nobody which process it has started; this one has no other child meanwhile. */
  private static void killJvm() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
  }
}
