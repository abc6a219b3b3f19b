package dev.staunch.bench.suite;

import dev.staunch.bench.jmh.Fork;
import dev.staunch.bench.jmh.JmhBenchmark;
import dev.staunch.bench.jmh.Schedule;
import dev.staunch.bench.jmh.Scores;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.process.Launch;
import dev.staunch.bench.report.Samples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One session: the measurements of Staunch and of the peer, in turn, on one machine within minutes.
 *
 * @param effort how long it may take
 * @param peer null if it is absent
 * @param logs takes the error output of the programs
 * @param progress receives a description of each measurement as it starts
 */
public record Session(Effort effort, @Nullable Mxnet peer, Path logs, Consumer<String> progress) {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Lets JMH time {@code what}; empty if its JVM died or hung. */
  Optional<Scores> time(JmhBenchmark what, Schedule schedule) {
    progress.accept("ours: " + what.label());
    return new Fork(logs, LIMIT).run(what, schedule);
  }

  /**
   * Lets JMH time {@code what}. Its best iteration is the figure; a full run also records its mean.
   *
   * @param unitOfNanos converts JMH's nanoseconds to the unit of the row
   */
  void best(Samples into, String figure, JmhBenchmark what, DoubleUnaryOperator unitOfNanos) {
    time(what, effort.averages())
        .ifPresent(scores -> {
          into.add(Map.of(figure, unitOfNanos.applyAsDouble(scores.best())));
          if (effort == Effort.FULL) {
            double mean = unitOfNanos.applyAsDouble(scores.mean());
            into.addMean(figure, mean, mean * scores.error() / scores.mean());
          }
        });
  }

  /** Runs a counting program of Staunch once. */
  void count(Samples into, Class<?> program) {
    String name = program.getSimpleName().toLowerCase(Locale.ROOT);
    progress.accept("ours: " + name);
    into.add(Launch.main(program, logs.resolve(name + ".log"), "-Xmx1g"));
  }

  /** Lets the peer measure once, if it is there. */
  void peer(Samples into, String name, Function<Mxnet, Map<String, Double>> what) {
    if (peer != null) {
      progress.accept("peer: " + name);
      into.add(what.apply(peer));
    }
  }
}
