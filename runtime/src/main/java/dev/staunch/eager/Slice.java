package dev.staunch.eager;

import org.jspecify.annotations.Nullable;

/**
 * Every {@code step}-th index from {@code start} up to but excluding {@code end}, as {@code
 * start:end:step} in Python. Negative bounds count from the end, bounds are clipped to the
 * dimension's size, and a null bound is the end of the dimension. A negative step goes backwards; a
 * step of 0 is a fault where the slice is used.
 */
public record Slice(@Nullable Long start, @Nullable Long end, long step) implements Index {

  /** {@code :}, the whole dimension. */
  public static Slice all() {
    return new Slice(null, null, 1);
  }

  /** {@code start:end}. */
  public static Slice of(long start, long end) {
    return new Slice(start, end, 1);
  }

  /** {@code start:end:step}. */
  public static Slice of(long start, long end, long step) {
    return new Slice(start, end, step);
  }

  /** {@code start:}. */
  public static Slice from(long start) {
    return new Slice(start, null, 1);
  }

  /** {@code :end}. */
  public static Slice to(long end) {
    return new Slice(null, end, 1);
  }

  /** {@code ::step}. */
  public static Slice every(long step) {
    return new Slice(null, null, step);
  }

  /**
   * For a negative step: the slice with a positive step that has the same indices of a dimension of
   * {@code size}, in the opposite order.
   */
  Slice reversed(long size) {
    long first = start == null ? size - 1 : Math.clamp(wrapped(start, size), -1, size - 1);
    long stop = end == null ? -1 : Math.clamp(wrapped(end, size), -1, size - 1);
    if (first <= stop) {
      return of(0, 0, 1);
    }
    long forwards = -Math.max(step, -Long.MAX_VALUE); // the least long has no negation
    long last = first - (first - stop - 1) / forwards * forwards;
    return of(last, first + 1, forwards);
  }

  private static long wrapped(long index, long size) {
    return index < 0 ? index + size : index;
  }
}
