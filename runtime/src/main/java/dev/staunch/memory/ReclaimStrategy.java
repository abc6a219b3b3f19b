package dev.staunch.memory;

import java.time.Duration;

/** When the JVM is asked to look for tensors that became unreachable without being closed (M5). */
public sealed interface ReclaimStrategy {
  /**
   * Never asks: the JVM collects when its heap is full, however much lies outside of it. For
   * programs that close their tensors, or work in scopes; others meet their budget in the meantime.
   */
  ReclaimStrategy LEAVE_TO_JVM = new LeaveToJvm();

  /** As {@link #LEAVE_TO_JVM}. */
  record LeaveToJvm() implements ReclaimStrategy {}

  /**
   * Asks every {@code interval} while tensors hold memory, and when an allocation meets its limit;
   * there not within a second of a collection that found nothing, unless an eighth of the budget
   * has come on top since.
   *
   * @param interval between two collections that are asked for
   */
  record Periodic(Duration interval) implements ReclaimStrategy {
    public Periodic {
      requirePositive(interval);
    }
  }

  /**
   * Asks when the bytes held cross a threshold, and when an allocation meets its limit, unless a
   * collection that found nothing is as recent as {@code atLeastBetween} and less than an eighth of
   * the budget has come on top since. Bytes that a collection left are not tried again before an
   * eighth of the threshold has come on top.
   *
   * @param bytes the threshold
   * @param atLeastBetween the shortest time between two collections that are asked for
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
