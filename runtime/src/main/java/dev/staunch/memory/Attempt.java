package dev.staunch.memory;

import dev.staunch.fault.jvm.StackRoom;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Calls code of somebody else's, and looks whether the stack has room for our own. Whatever that
 * throws is a value then, also a bare {@code Throwable}, which no clause for exceptions and errors
 * would hold: a future keeps anything.
 */
final class Attempt {
  /** For all that is done between taking memory and giving it to whom it is for, or back. */
  static final StackRoom ROOM = StackRoom.of(8 << 10);

  private Attempt() {}

  /** What {@code step} throws; null if it ends well. */
  static @Nullable Throwable thrownBy(Runnable step) {
    FutureTask<Boolean> run = new FutureTask<>(step, true);
    run.run();
    return run.state() == FutureTask.State.FAILED ? run.exceptionNow() : null;
  }
}
