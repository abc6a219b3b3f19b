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

  /** 1 for every byte other than 0, which memory that other code has written may hold. */
  static ByteVector of(ByteVector bytes) {
    return bytes.lanewise(VectorOperators.UMIN, (byte) 1);
  }
}
