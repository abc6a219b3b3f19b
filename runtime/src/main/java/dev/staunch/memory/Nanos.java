package dev.staunch.memory;

import java.time.Duration;

/** Durations as nanoseconds, capped so that they can be added to a clock reading safely. */
final class Nanos {
  /** About 146 years. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private Nanos() {}

  /** A duration beyond 146 years counts as 146 years: forever. */
  static long of(Duration time) {
    return time.compareTo(LONGEST) < 0 ? time.toNanos() : LONGEST.toNanos();
  }
}
