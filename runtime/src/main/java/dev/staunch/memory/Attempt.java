package dev.staunch.memory;

import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Calls code of somebody else's. Whatever that throws is a value then, also a bare {@code
 * Throwable}, which no clause for exceptions and errors would hold: a future keeps anything.
 */
final class Attempt {
  private Attempt() {}

  /** What {@code step} throws; null if it ends well. */
  static @Nullable Throwable thrownBy(Runnable step) {
    FutureTask<Boolean> run = new FutureTask<>(step, true);
    run.run();
    return run.state() == FutureTask.State.FAILED ? run.exceptionNow() : null;
  }
}
