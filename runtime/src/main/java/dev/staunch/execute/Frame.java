package dev.staunch.execute;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/** The registers of one call of a function. */
final class Frame {
  final Run run;
  final Code code;
  final Object[] registers;

  /** Where the function was when it failed. */
  @Nullable SourceLocation failedAt;

  /** Whether an operation waits for a value; then nothing is released before the scope closes. */
  volatile boolean deferred;

  Frame(Run run, Code code) {
    this.run = run;
    this.code = code;
    this.registers = code.template().clone();
  }
}
