package dev.staunch.data.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The frame around each piece of a record; see dmlc-core's {@code recordio.h}. */
final class Framing {
  static final int MAGIC = 0xced7230a;
  static final int HEADER = 8;
  static final int LONGEST = (1 << 29) - 1;
  static final int WHOLE = 0;
  static final int FIRST = 1;
  static final int MIDDLE = 2;
  static final int LAST = 3;
  private static final int ALIGNMENT = 4;

  private Framing() {}

  static int padded(int length) {
    return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  static ByteBuffer over(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int kind(int word) {
    return word >>> 29;
  }

  static int length(int word) {
    return word & LONGEST;
  }
}
