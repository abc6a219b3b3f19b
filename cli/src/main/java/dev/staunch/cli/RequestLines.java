package dev.staunch.cli;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a file of requests one at a time, as bytes. A line that is too long, or for
 * which the heap has no room, becomes a fault; the lines after it are still read. Blank lines and
 * line ends of both kinds are removed.
 */
final class RequestLines implements AutoCloseable {
  /** Half of the longest Java string. */
  static final int MAX_BYTES = 1 << 30;

  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private long number;
  private final AtomicLong bytes = new AtomicLong();

  /** The current line as far as it has been read, unless it has become unusable. */
  private ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** Why the heap has no room for the line; null if it has. */
  private @Nullable Fault noRoom;

  RequestLines(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /**
   * @param number one-based
   * @param bytes the line, or null if there is a fault instead
   */
  @SuppressWarnings("ArrayRecordComponent") // a line is passed on once and never compared
  record Line(long number, byte @Nullable [] bytes, @Nullable Fault fault) {}

  /** Returns the next line that is not blank, or null at the end. */
  @Nullable Line next() throws IOException {
    while (true) {
      line = new ByteArrayOutputStream();
      noRoom = null;
      long length = read();
      if (length < 0) {
        return null;
      }
      number++;
      if (length > maxBytes) {
        String text = "a request may have %d bytes, but line %d has %d";
        return fault(FaultType.REQUEST, Message.of(text, maxBytes, number, length));
      }
      Object whole =
          noRoom == null ? Guard.attempt(ByteArrayOutputStream::toByteArray, line) : noRoom;
      if (!(whole instanceof byte[] text)) {
        String full = "line %d has %d bytes, for which the heap has no room; raise its size (-Xmx)";
        return fault(FaultType.OUT_OF_MEMORY, Message.of(full, number, length));
      }
      if (!isBlank(text)) {
        return new Line(number, text, null);
      }
    }
  }

  /** Whether a line has white space only; other bytes that cannot be seen are no request. */
  private static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && (each < '\t' || each > '\r')) {
        return false;
      }
    }
    return true;
  }

  private Line fault(FaultType type, String message) {
    return new Line(number, null, Fault.of(type, message));
  }

  /** Reads up to the end of a line and returns its length; keeps no more than is usable. */
  private long read() throws IOException {
    long length = 0;
    while (true) {
      if (at == end) {
        at = 0;
        end = in.read(buffer);
        bytes.addAndGet(Math.max(end, 0));
        if (end < 0) {
          end = 0;
          return length == 0 ? -1 : length;
        }
      }
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      length += at - from;
      keep(from, length);
      if (at < end) {
        at++;
        return length;
      }
    }
  }

  /** Keeps what was read since {@code from}; discards a line that cannot be used. */
  private void keep(int from, long length) {
    if (length <= maxBytes && noRoom == null) {
      noRoom = Guard.run(kept -> kept.write(buffer, from, at - from), line);
    }
    if (length > maxBytes || noRoom != null) {
      line = new ByteArrayOutputStream(0);
    }
  }

  /** How many bytes have been read; may be called on any thread. */
  long bytes() {
    return bytes.get();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
