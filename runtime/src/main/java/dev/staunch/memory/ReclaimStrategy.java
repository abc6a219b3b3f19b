package dev.staunch.memory;

import java.time.Duration;

/**
 * When the JVM is asked to look for tensors that became unreachable without being closed.
 *
 * <p>With any strategy, the JVM is asked for one collection before an allocation is refused. The
 * allocation waits for the collection, and then at most {@link MemoryOptions#reclaimWait} for what
 * it found. So even a program that never closes its tensors stays within its budget.
 *
 * <p>After a collection that found something, the next one at a limit has to wait for nine times
 * its duration, but at most {@link MemoryOptions#reclaimWait}: programs that drop tensors wait, and
 * others have nine tenths of the time. If other threads took what was found and there is still
 * time, one more is requested. None is requested if the last collection at a limit found nothing,
 * is recent (a second at first, twice as long each time, a minute at most) and less than an eighth
 * of the budget has been added since.
 */
public sealed interface ReclaimStrategy {
  /**
   * Asks at a limit only; otherwise the JVM collects when its heap is full, however much memory
   * lies outside it. For programs that close their tensors, or work in scopes. Other programs hold
   * their whole budget most of the time, and pause for a collection whenever it is full.
   */
  ReclaimStrategy LEAVE_TO_JVM = new LeaveToJvm();

  /** As {@link #LEAVE_TO_JVM}. */
  record LeaveToJvm() implements ReclaimStrategy {}

  /**
   * Also asks every {@code interval} while tensors hold memory.
   *
   * @param interval the time between two requested collections
   */
  record Periodic(Duration interval) implements ReclaimStrategy {
    public Periodic {
      requirePositive(interval);
    }
  }

  /**
   * Also asks when the bytes held cross a threshold. For the bytes that a collection left, the next
   * one is not requested before an eighth of the threshold has been added.
   *
   * @param bytes the threshold
   * @param atLeastBetween the shortest time between two requested collections; at a limit, between
   *     those that find nothing
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
