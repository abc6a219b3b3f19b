package dev.staunch.bench.jmh;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How often a fork runs its benchmark.
 *
 * @param mode the mean of as many invocations as fit into an iteration, or single shots
 * @param warmUps iterations before the first one that gives a score
 * @param iterations the number of iterations that give a score
 * @param millis the length of an iteration; not used for single shots
 * @param batch invocations in a single shot
 */
public record Schedule(Mode mode, int warmUps, int iterations, int millis, int batch) {

  /** Iterations of {@code millis} milliseconds each; warm-ups come first. */
  public static Schedule averages(int warmUps, int iterations, int millis) {
    return new Schedule(Mode.AverageTime, warmUps, iterations, millis, 1);
  }

  /** Shots of {@code batch} invocations each, starting with the first invocation of the process. */
  public static Schedule shots(int shots, int batch) {
    return new Schedule(Mode.SingleShotTime, 0, shots, 1, batch);
  }

  void applyTo(ChainedOptionsBuilder options) {
    options
        .mode(mode)
        .warmupIterations(warmUps)
        .warmupTime(TimeValue.milliseconds(millis))
        .measurementIterations(iterations)
        .measurementTime(TimeValue.milliseconds(millis))
        .measurementBatchSize(batch);
  }
}
