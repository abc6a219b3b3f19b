package dev.staunch.memory;

/**
 * Which resources remember where they were made, for leak reports. Remembering costs a walk over
 * the stack, some microseconds.
 *
 * @param every one in so many resources remembers; 0 for none
 */
public record LeakDetection(int every) {
  /** No resource remembers and no leak is reported; leaks are counted all the same. */
  public static final LeakDetection OFF = new LeakDetection(0);

  /** Every resource remembers. */
  public static final LeakDetection FULL = new LeakDetection(1);

  public LeakDetection {
    if (every < 0) {
      throw new IllegalArgumentException("`every` must not be negative, but it is " + every);
    }
  }

  /** One in {@code every} resources remembers, and only those are reported. */
  public static LeakDetection sampled(int every) {
    if (every <= 0) {
      throw new IllegalArgumentException("`every` must be positive, but it is " + every);
    }
    return new LeakDetection(every);
  }

  boolean isOn() {
    return every > 0;
  }
}
