package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that says how long one request, call or function may take. */
final class Deadline {
  /** Thirty years: as good as no limit, and far from what overflows. */
  private static final long LONGEST_MILLIS = 1_000_000_000_000L;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  private long millis;

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      defaultValue = "60000",
      description =
          "milliseconds that one call may take; 0 for no limit (default: ${DEFAULT-VALUE})")
  void millis(long given) {
    Arguments.notNegative(spec, "--deadline", given);
    millis = given;
  }

  /** As good as no limit if none is asked for. */
  Duration duration() {
    return Duration.ofMillis(millis == 0 ? LONGEST_MILLIS : Math.min(millis, LONGEST_MILLIS));
  }

  /** A scope that ends when the time, which begins now, is up; never if no limit is asked for. */
  CancelScope scope() {
    return millis == 0 ? CancelScope.open() : CancelScope.withDeadline(duration());
  }
}
