package dev.staunch.data.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches for bytes, eight at a time. */
final class ByteScan {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private ByteScan() {}

  /** The first position of {@code wanted} in {@code [from, to)}; -1 if it does not occur. */
  static int indexOf(byte[] bytes, int from, int to, byte wanted) {
    long pattern = ONES * (wanted & 0xff);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long same = (long) LONGS.get(bytes, at) ^ pattern;
      long found = same - ONES & ~same & HIGH_BITS; // the lowest set bit is exact, see Mycroft 1987
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return -1;
  }

  /** The last position of {@code wanted} in {@code [from, to)}; -1 if it does not occur. */
  static int lastIndexOf(byte[] bytes, int from, int to, byte wanted) {
    for (int at = to - 1; at >= from; at--) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return -1;
  }
}
