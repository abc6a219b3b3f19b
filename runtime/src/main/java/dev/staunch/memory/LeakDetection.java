package dev.staunch.memory;

/**
 * Which resources record where they were created, for leak reports. Recording walks the stack,
 * which costs some microseconds.
 *
 * @param every one in this many resources records; 0 for none
 */
public record LeakDetection(int every) {
  /** No resource records and no leak is reported; leaks are still counted. */
  public static final LeakDetection OFF = new LeakDetection(0);

  /** Every resource records. */
  public static final LeakDetection FULL = new LeakDetection(1);

  public LeakDetection {
    if (every < 0) {
      throw new IllegalArgumentException("`every` must not be negative, but it is " + every);
    }
  }

  /** One in {@code every} resources records, and only those are reported. */
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
