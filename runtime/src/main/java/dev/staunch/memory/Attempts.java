package dev.staunch.memory;

import dev.staunch.fault.jvm.StackRoom;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Several steps each of which has to be taken, whatever the others throw; of that the first is
 * kept, with the rest suppressed. And what one step needs: room on the stack for what is our own,
 * and that whatever somebody else's code throws is a value. For one thread.
 */
final class Attempts {
  /** For all that is done between taking memory and giving it to whom it is for, or back. */
  static final StackRoom ROOM = StackRoom.of(8 << 10);

  private @Nullable Throwable first;

  /**
   * What {@code step} throws; null if it ends well. Also a bare {@code Throwable}, which no clause
   * for exceptions and errors would hold: a future keeps anything.
   */
  static @Nullable Throwable thrownBy(Runnable step) {
    FutureTask<Boolean> run = new FutureTask<>(step, true);
    run.run();
    return run.state() == FutureTask.State.FAILED ? run.exceptionNow() : null;
  }

  /** Takes {@code step}; what it throws is thrown by {@link #throwIfAny}. */
  void attempt(Runnable step) {
    Throwable next = thrownBy(step);
    if (first == null) {
      first = next;
    } else if (next != null && !first.equals(next)) {
      first.addSuppressed(next);
    }
  }

  void throwIfAny() {
    switch (first) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(first);
    }
  }
}
