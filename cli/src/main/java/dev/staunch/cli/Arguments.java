package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What numbers and files on the command line have to be, beyond their syntax. */
final class Arguments {
  private Arguments() {}

  static void atLeastOne(CommandSpec spec, String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), option + " must be at least 1, but was " + value);
    }
  }

  static void notNegative(CommandSpec spec, String option, long value) {
    if (value < 0) {
      throw new ParameterException(
          spec.commandLine(), option + " must be 0 or more, but was " + value);
    }
  }

  /** A scope that ends after {@code millis} milliseconds, or never if that is 0. */
  static CancelScope deadline(long millis) {
    return millis == 0 ? CancelScope.open() : CancelScope.withDeadline(Duration.ofMillis(millis));
  }
}
