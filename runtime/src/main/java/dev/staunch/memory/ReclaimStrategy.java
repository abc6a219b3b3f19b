package dev.staunch.memory;

import java.time.Duration;

/**
 * When the JVM is asked to look for tensors that became unreachable without being closed.
 *
 * <p>Whichever it is, before an allocation is refused the JVM is asked for one collection, which
 * the allocation waits for, and then no longer than {@link MemoryOptions#reclaimWait} for what that
 * found: so a program that only drops its tensors stays within its budget. After a collection that
 * found something nine times its duration go by before the next at a limit, as long as {@link
 * MemoryOptions#reclaimWait} allows: whoever drops tensors waits, and others have nine tenths of
 * the time. Only if others took what was found, and there is still time, one more is asked for. It
 * is not asked if the last collection at a limit found nothing, is recent (a second at first, twice
 * as long each time, a minute at most) and less than an eighth of the budget has come on top since.
 */
public sealed interface ReclaimStrategy {
  /**
   * Asks at a limit only: else the JVM collects when its heap is full, however much lies outside of
   * it. For programs that close their tensors, or work in scopes; others hold their whole budget
   * most of the time, and stop for a collection whenever it is full.
   */
  ReclaimStrategy LEAVE_TO_JVM = new LeaveToJvm();

  /** As {@link #LEAVE_TO_JVM}. */
  record LeaveToJvm() implements ReclaimStrategy {}

  /**
   * Asks also every {@code interval} while tensors hold memory.
   *
   * @param interval between two collections that are asked for
   */
  record Periodic(Duration interval) implements ReclaimStrategy {
    public Periodic {
      requirePositive(interval);
    }
  }

  /**
   * Asks also when the bytes held cross a threshold. Bytes that a collection left are not tried
   * again before an eighth of the threshold has come on top.
   *
   * @param bytes the threshold
   * @param atLeastBetween the shortest time between two collections that are asked for, at a limit
   *     between those that find nothing
   */
  record Threshold(long bytes, Duration atLeastBetween) implements ReclaimStrategy {
    public Threshold {
      if (bytes <= 0) {
        throw new IllegalArgumentException("the threshold must be positive, but it is " + bytes);
      }
      requirePositive(atLeastBetween);
    }
  }

  static ReclaimStrategy periodic(Duration interval) {
    return new Periodic(interval);
  }

  /** A threshold with at least a second between two collections. */
  static ReclaimStrategy threshold(long bytes) {
    return new Threshold(bytes, Duration.ofSeconds(1));
  }

  private static void requirePositive(Duration interval) {
    if (!interval.isPositive()) {
      throw new IllegalArgumentException("the interval must be positive, but it is " + interval);
    }
  }
}
