package dev.staunch.execute;

import dev.staunch.fault.ProgramPoint;
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

  private final @Nullable Frame caller;
  private final long callerVisit;
  private long visits;

  /**
   * @param caller whose step called the function; null for the run itself
   * @param callerVisit which step that was
   */
  Frame(Run run, Code code, @Nullable Frame caller, long callerVisit) {
    this.run = run;
    this.code = code;
    this.caller = caller;
    this.callerVisit = callerVisit;
    this.registers = code.template().clone();
  }

  /** Counts the steps as they come up, whether they run then or are put off. */
  long visit() {
    return visits++;
  }

  /** Where in the program's order a step of this frame stands (F6). */
  ProgramPoint point(long visit) {
    ProgramPoint outer = caller == null ? ProgramPoint.of() : caller.point(callerVisit);
    return outer.then(visit);
  }
}
