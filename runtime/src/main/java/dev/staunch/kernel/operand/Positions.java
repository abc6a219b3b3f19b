package dev.staunch.kernel.operand;

/** Where Python's indices of a sequence, negative ones from the end, lead to. */
public final class Positions {
  private Positions() {}

  /** The position that {@code index} means, negative ones from the end; -1 if there is none. */
  public static int position(long index, int size) {
    long at = index < 0 ? index + size : index;
    return at >= 0 && at < size ? (int) at : -1;
  }

  /** As {@link #position}, moved to the nearest end if outside; may be {@code size}. */
  public static int clamped(long index, int size) {
    long at = index < 0 ? index + size : index;
    return Math.clamp(at, 0, size);
  }
}
