package dev.staunch.memory;

import dev.staunch.fault.jvm.StackRoom;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs several steps, all of which must be attempted whatever the others throw. The first throwable
 * is kept, with the rest suppressed. Also provides what a single step needs: stack room for
 * internal code, and user code whose throwables become values. For one thread.
 */
final class Attempts {
  /** Stack room for everything between taking memory and passing it on, or giving it back. */
  static final StackRoom ROOM = StackRoom.of(8 << 10);

  private @Nullable Throwable first;

  /**
   * What {@code step} throws, or null. This includes a bare {@code Throwable}, which no clause for
   * exceptions and errors would catch: a future can hold anything.
   */
  static @Nullable Throwable thrownBy(Runnable step) {
    FutureTask<Boolean> run = new FutureTask<>(step, true);
    run.run();
    return run.state() == FutureTask.State.FAILED ? run.exceptionNow() : null;
  }

  /** Runs {@code step}; {@link #throwIfAny} throws what the step throws. */
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
