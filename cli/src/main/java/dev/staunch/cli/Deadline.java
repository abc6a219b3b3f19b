package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that limits how long one request, call or function may take. */
final class Deadline {
  /** Thirty years: effectively no limit, and far from any overflow. */
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

  /** The limit; effectively unlimited if none was requested. */
  Duration duration() {
    return Duration.ofMillis(millis == 0 ? LONGEST_MILLIS : Math.min(millis, LONGEST_MILLIS));
  }

  /**
   * A scope whose time starts now and ends with the limit; never ends if no limit was requested.
   */
  CancelScope scope() {
    return millis == 0 ? CancelScope.open() : CancelScope.withDeadline(duration());
  }
}
