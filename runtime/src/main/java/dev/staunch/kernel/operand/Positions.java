package dev.staunch.kernel.operand;

/** Python's sequence indices, of which negative ones count from the end, as positions. */
public final class Positions {
  private Positions() {}

  /**
   * The position that {@code index} refers to; negative ones count from the end; -1 if out of
   * range.
   */
  public static int position(long index, int size) {
    long at = index < 0 ? index + size : index;
    return at >= 0 && at < size ? (int) at : -1;
  }

  /** As {@link #position}, clamped to the nearest end if out of range; may be {@code size}. */
  public static int clamped(long index, int size) {
    long at = index < 0 ? index + size : index;
    return Math.clamp(at, 0, size);
  }
}
