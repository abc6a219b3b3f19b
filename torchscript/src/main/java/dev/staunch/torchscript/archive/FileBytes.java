package dev.staunch.torchscript.archive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A whole file's bytes, of any size, read as ZIP has them: little-endian, at any place. */
record FileBytes(MemorySegment bytes) {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  long size() {
    return bytes.byteSize();
  }

  /** An unsigned 16-bit number. */
  int getShort(long at) {
    return bytes.get(SHORT, at) & 0xffff;
  }

  int getInt(long at) {
    return bytes.get(INT, at);
  }

  /** An unsigned 32-bit number. */
  long getUnsigned(long at) {
    return bytes.get(INT, at) & 0xffffffffL;
  }

  long getLong(long at) {
    return bytes.get(LONG, at);
  }

  byte[] array(long at, int length) {
    return segment(at, length).toArray(ValueLayout.JAVA_BYTE);
  }

  MemorySegment segment(long at, long length) {
    return bytes.asSlice(at, length);
  }
}
