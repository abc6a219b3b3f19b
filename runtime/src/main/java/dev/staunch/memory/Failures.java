package dev.staunch.memory;

import org.jspecify.annotations.Nullable;

/**
 * What several steps threw each of which has to be taken whatever the others do: the first, with
 * the rest suppressed. For one thread.
 */
final class Failures {
  private @Nullable Throwable first;

  /** Takes {@code step}; what it throws is thrown by {@link #throwIfAny}. */
  void attempt(Runnable step) {
    Throwable next = Attempt.thrownBy(step);
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
