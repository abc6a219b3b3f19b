package dev.staunch.kernel.operand;

import dev.staunch.kernel.Call;

/**
 * The positions that Python's {@code [start:end:step]} selects from a sequence; a negative step
 * goes backwards.
 *
 * @param end the first position that is no longer selected, in the direction of {@code step}
 * @param step not 0
 * @param size the size of the sequence
 */
public record Slice(long first, long end, long step, long size) {
  /** The slice that operands 1 to 3 describe: start and end, which may be None, and step. */
  public static Slice of(Call call, long size) {
    long step = call.integer(3);
    boolean ahead = step > 0;
    long least = ahead ? 0 : -1;
    long most = ahead ? size : size - 1;
    return new Slice(
        call.isNone(1) ? (ahead ? least : most) : bound(call.integer(1), size, least, most),
        call.isNone(2) ? (ahead ? most : least) : bound(call.integer(2), size, least, most),
        step,
        size);
  }

  private static long bound(long index, long size, long least, long most) {
    return Math.clamp(index < 0 ? index + size : index, least, most);
  }

  /** Whether {@code place} is before the end. */
  public boolean holds(long place) {
    return step > 0 ? place < end : place > end;
  }

  /** The position after {@code place}, or one past the end of the sequence. */
  public long next(long place) {
    return step > 0 ? (step > size - place ? size : place + step) : Math.max(place + step, -1);
  }
}
