package dev.staunch.cli;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file of requests, one at a time. A line that is no UTF-8 or too long is a fault of
 * its own; the lines behind it are read. Blank lines are left out, as are line ends of both kinds
 * and the mark that some editors put before the first line.
 */
final class RequestLines implements AutoCloseable {
  /** Half of what a Java string can hold. */
  static final int MAX_BYTES = 1 << 30;

  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private long number;

  RequestLines(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /**
   * @param number one-based
   * @param text the line, or null if there is a fault instead
   */
  record Line(long number, @Nullable String text, @Nullable Fault fault) {}

  /** The next line that is not blank, or null at the end. */
  @Nullable Line next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (true) {
      bytes.reset();
      long length = read(bytes);
      if (length < 0) {
        return null;
      }
      number++;
      if (length > maxBytes) {
        String text = "a request may have %d bytes, but line %d has %d";
        return fault(Message.of(text, maxBytes, number, length));
      }
      Line line = decoded(bytes.toByteArray());
      if (line.text() == null || !line.text().isBlank()) {
        return line;
      }
    }
  }

  private Line decoded(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean marked = number == 1 && text.startsWith(BYTE_ORDER_MARK);
      return new Line(number, marked ? text.substring(1) : text, null);
    } catch (CharacterCodingException e) {
      return fault("line " + number + " is no UTF-8 text");
    }
  }

  private Line fault(String message) {
    return new Line(number, null, Fault.of(FaultType.REQUEST, message));
  }

  /** Reads up to the end of a line and returns its length; keeps no more than may be used. */
  private long read(ByteArrayOutputStream line) throws IOException {
    long length = 0;
    while (true) {
      if (at == end) {
        at = 0;
        end = in.read(buffer);
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
      if (length <= maxBytes) {
        line.write(buffer, from, at - from);
      }
      if (at < end) {
        at++;
        return length;
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
