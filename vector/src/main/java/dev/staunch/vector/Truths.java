package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;

/** Bools, a byte of 0 or 1 each. Positions count bytes. */
final class Truths {
  private static final long ONES = 0x0101010101010101L;

  /** Multiplies bytes of 0 or 1 so that byte {@code i} becomes bit {@code 56 + i}. */
  private static final long EACH_TO_ITS_BIT = 0x0102040810204080L;

  private static final ValueLayout.OfLong EIGHT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt FOUR =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Truths() {}

  /** Writes the lowest {@code count} bits, a whole vector's. */
  static void store(long bits, MemorySegment out, long to, int count) {
    if (count == 16) {
      out.set(EIGHT, to, Long.expand(bits, ONES));
      out.set(EIGHT, to + 8, Long.expand(bits >>> 8, ONES));
    } else if (count == 8) {
      out.set(EIGHT, to, Long.expand(bits, ONES));
    } else if (count == 4) {
      out.set(FOUR, to, (int) Long.expand(bits, ONES));
    } else {
      storeFew(bits, out, to, count);
    }
  }

  /** Writes the lowest {@code count} bits. */
  static void storeFew(long bits, MemorySegment out, long to, int count) {
    for (int i = 0; i < count; i++) {
      out.set(JAVA_BYTE, to + i, (byte) (bits >>> i & 1));
    }
  }

  /** The bits of {@code count} bools, a whole vector's. */
  static long load(MemorySegment from, long at, int count) {
    return switch (count) {
      case 16 -> bits(from.get(EIGHT, at)) | bits(from.get(EIGHT, at + 8)) << 8;
      case 8 -> bits(from.get(EIGHT, at));
      case 4 -> bits(from.get(FOUR, at) & 0xffff_ffffL);
      default -> loadFew(from, at, count);
    };
  }

  /** The bits of {@code count} bools. */
  static long loadFew(MemorySegment from, long at, int count) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= from.get(JAVA_BYTE, at + i) == 0 ? 0 : 1L << i;
    }
    return bits;
  }

  /** A bit for each byte, which is set unless the byte is 0. */
  private static long bits(long bytes) {
    long halves = bytes | bytes >>> 4;
    long quarters = halves | halves >>> 2;
    long ones = (quarters | quarters >>> 1) & ONES;
    return (ones * EACH_TO_ITS_BIT) >>> 56;
  }

  /** 1 for every byte other than 0, which memory that other code has written may hold. */
  static ByteVector of(ByteVector bytes) {
    return bytes.lanewise(VectorOperators.UMIN, (byte) 1);
  }
}
