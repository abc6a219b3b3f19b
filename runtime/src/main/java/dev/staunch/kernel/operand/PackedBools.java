package dev.staunch.kernel.operand;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Bools in an array, eight of them in a long, each in a byte of 0 or 1. C2 vectorises loops over
 * longs, and a bool widened to a number would take eight times the memory.
 */
public final class PackedBools {
  /** Eight times true. */
  public static final long ONES = 0x0101010101010101L;

  private static final long LOW_BITS = 0x7f * ONES;

  private PackedBools() {}

  /** The number of longs that hold {@code count} bools. */
  public static int words(int count) {
    return Math.ceilDiv(count, Long.BYTES);
  }

  /**
   * Reads {@code count} bools. Any byte other than 0 is true; memory that other code has written
   * may hold such bytes. In the last long, the bytes after the last bool keep 0 or 1.
   */
  public static void load(MemorySegment from, long at, long step, int count, long[] into) {
    MemorySegment bytes = MemorySegment.ofArray(into);
    if (step == 1) {
      MemorySegment.copy(from, at, bytes, 0, count);
    } else {
      for (int i = 0; i < count; i++) {
        bytes.set(JAVA_BYTE, i, from.get(JAVA_BYTE, at + i * step));
      }
    }
    int words = words(count);
    for (int i = 0; i < words; i++) {
      long each = into[i];
      into[i] = ((((each & LOW_BITS) + LOW_BITS) | each) >>> (Byte.SIZE - 1)) & ONES;
    }
  }

  /** How many of {@code count} bools are true. */
  public static long trues(long[] packed, int count) {
    int whole = count / Long.BYTES;
    long sum = 0;
    for (int i = 0; i < whole; i++) {
      sum += Long.bitCount(packed[i]);
    }
    int rest = count % Long.BYTES;
    if (rest > 0) {
      MemorySegment bytes = MemorySegment.ofArray(packed);
      for (int i = 0; i < rest; i++) {
        sum += bytes.get(JAVA_BYTE, (long) whole * Long.BYTES + i);
      }
    }
    return sum;
  }
}
