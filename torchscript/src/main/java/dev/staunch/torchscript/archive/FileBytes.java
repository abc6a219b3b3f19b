package dev.staunch.torchscript.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Random access to a file's bytes, of any size, in ZIP's little-endian order. They are read into a
 * window in the runtime's own memory, never from a mapping. Thread-safe.
 */
final class FileBytes {
  /** Where the bytes come from. */
  interface Source {
    /** The number of bytes; always the same. */
    long size();

    /**
     * Fills {@code into} with the bytes that start at {@code at}.
     *
     * @throws dev.staunch.fault.StaunchException if they cannot be read
     */
    void read(long at, ByteBuffer into);
  }

  private static final int WINDOW = 1 << 16;

  private final Source source;
  private final long size;
  private final ByteBuffer window =
      ByteBuffer.allocate(WINDOW).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private long windowStart;

  FileBytes(Source source) {
    this.source = source;
    this.size = source.size();
  }

  /** Bytes that are already in memory. */
  static FileBytes of(byte[] bytes) {
    return new FileBytes(
        new Source() {
          @Override
          public long size() {
            return bytes.length;
          }

          @Override
          public void read(long at, ByteBuffer into) {
            into.put(bytes, (int) at, into.remaining());
          }
        });
  }

  long size() {
    return size;
  }

  /** An unsigned 16-bit number. */
  synchronized int getShort(long at) {
    return window.getShort(place(at, Short.BYTES)) & 0xffff;
  }

  synchronized int getInt(long at) {
    return window.getInt(place(at, Integer.BYTES));
  }

  /** An unsigned 32-bit number. */
  long getUnsigned(long at) {
    return getInt(at) & 0xffffffffL;
  }

  synchronized long getLong(long at) {
    return window.getLong(place(at, Long.BYTES));
  }

  /** Returns the {@code length} bytes at {@code at}; a short range is served from the window. */
  synchronized ByteBuffer copy(long at, int length) {
    byte[] bytes = new byte[length];
    if (length > WINDOW / 2) {
      read(at, ByteBuffer.wrap(bytes));
    } else {
      window.get(place(at, length), bytes);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  byte[] array(long at, int length) {
    byte[] bytes = new byte[length];
    read(at, ByteBuffer.wrap(bytes));
    return bytes;
  }

  /** Fills {@code into} with the bytes that start at {@code at}, bypassing the window. */
  void read(long at, ByteBuffer into) {
    if (at < 0 || into.remaining() > size - at) {
      throw new IndexOutOfBoundsException(at + " of " + size + " bytes");
    }
    source.read(at, into);
  }

  /**
   * The position in the window of the {@code length} bytes at {@code at}, which are read if
   * necessary.
   */
  private int place(long at, int length) {
    long place = at - windowStart;
    if (place < 0 || place > window.limit() - length) {
      slide(Math.max(0, Math.min(at - WINDOW / 2, size - WINDOW)));
      place = at - windowStart;
    }
    return Math.toIntExact(place);
  }

  private void slide(long start) {
    int length = (int) Math.min(WINDOW, size - start);
    window.limit(0); // if reading fails, the window holds nothing valid
    read(start, window.duplicate().clear().limit(length));
    windowStart = start;
    window.limit(length);
  }
}
