package dev.staunch.memory;

import java.time.Duration;

/** Times as nanoseconds, so that whoever adds them to a clock needs no second thought. */
final class Nanos {
  /** About 146 years. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private Nanos() {}

  /** What is longer than 146 years is as long as that: for ever. */
  static long of(Duration time) {
    return time.compareTo(LONGEST) < 0 ? time.toNanos() : LONGEST.toNanos();
  }
}
