package dev.staunch.data.record;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a RecordIO file, compressed or not, from front to end, or from a place that an index names.
 * Damage affects only the records that it touches: {@link #next} returns a fault in their place,
 * and then what follows the next magic number. Not thread-safe.
 */
public final class RecordReader implements AutoCloseable {
  private static final int BUFFER = 1 << 18;

  /**
   * A record, or what is wrong with it.
   *
   * @param number the position in reading order, counted from 0
   * @param offset where it begins in the file
   * @param fault null if the bytes are good
   */
  @SuppressWarnings("ArrayRecordComponent") // the bytes are the content; not copied
  public record Entry(long number, long offset, byte[] bytes, @Nullable Fault fault) {}

  private final ByteInput input;
  private byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;
  private boolean drained;
  private long number;
  private boolean ended;

  private RecordReader(ByteInput input) {
    this.input = input;
  }

  /**
   * @throws dev.staunch.fault.StaunchException.DataFormatException if there is no such file, or it
   *     cannot be read
   */
  public static RecordReader open(Path file) throws IOException {
    return new RecordReader(ByteInput.open(file));
  }

  /** Goes to a record that begins at {@code offset}; only in an uncompressed file. */
  public void seek(long offset, long recordNumber) throws IOException, InterruptedException {
    input.seek(offset);
    start = 0;
    end = 0;
    drained = false;
    ended = false;
    number = recordNumber;
  }

  /** How many bytes have been read, decompressed. */
  public long bytesRead() {
    return input.bytesRead();
  }

  /** Returns the next record, or a fault in its place; null at the end. */
  public @Nullable Entry next() throws IOException, InterruptedException {
    if (ended) {
      return null;
    }
    long begin = offset();
    byte[] record = {};
    boolean open = false;
    while (true) {
      if (available(Framing.HEADER) < Framing.HEADER) {
        return atEnd(begin, open);
      }
      int word = Framing.over(buffer).getInt(start + Integer.BYTES);
      if (Framing.over(buffer).getInt(start) != Framing.MAGIC) {
        return damaged(begin, "there is no record here", "the magic number ced7230a");
      }
      int kind = Framing.kind(word);
      boolean continues = kind == Framing.MIDDLE || kind == Framing.LAST;
      if (kind > Framing.LAST || continues != open) {
        return damaged(
            begin,
            "the pieces of the record do not follow each other",
            open ? "its next piece" : "the first piece of a record");
      }
      int length = Framing.length(word);
      int whole = Framing.HEADER + Framing.padded(length);
      if (available(whole) < Framing.HEADER + length) {
        return damaged(
            begin, "the record ends behind the end of the file", Message.of("%d bytes", length));
      }
      record = joined(record, open, length);
      start += Math.min(whole, end - start);
      if (kind == Framing.WHOLE || kind == Framing.LAST) {
        return new Entry(number++, begin, record, null);
      }
      open = true;
    }
  }

  private byte[] joined(byte[] front, boolean open, int length) {
    int from = start + Framing.HEADER;
    if (!open) {
      return Arrays.copyOfRange(buffer, from, from + length);
    }
    int gap = Integer.BYTES; // where a record was split, its data had the magic number
    byte[] longer = Arrays.copyOf(front, front.length + gap + length);
    Framing.over(longer).putInt(front.length, Framing.MAGIC);
    System.arraycopy(buffer, from, longer, front.length + gap, length);
    return longer;
  }

  private @Nullable Entry atEnd(long begin, boolean open) throws IOException, InterruptedException {
    Fault damage = input.damage();
    if (damage != null) {
      ended = true;
      return new Entry(number++, begin, new byte[0], damage);
    }
    if (end == start && !open) {
      ended = true;
      return null;
    }
    return damaged(begin, "the file ends inside a record", "the rest of the record");
  }

  /** Returns the fault, and moves the reader to the next magic number that begins a record. */
  private Entry damaged(long begin, String what, String expected)
      throws IOException, InterruptedException {
    Fault packed = input.damage();
    Fault fault =
        packed != null
            ? packed
            : Place.record(input.name(), "record", number + 1, begin)
                .fault(what, expected, "other bytes");
    if (offset() == begin) {
      start += Math.min(Integer.BYTES, end - start);
    }
    while (available(Framing.HEADER) >= Framing.HEADER && !begins()) {
      start += Integer.BYTES - (int) (offset() % Integer.BYTES);
    }
    if (end - start < Framing.HEADER) {
      ended = true;
    }
    return new Entry(number++, begin, new byte[0], fault);
  }

  private boolean begins() {
    int kind = Framing.kind(Framing.over(buffer).getInt(start + Integer.BYTES));
    return Framing.over(buffer).getInt(start) == Framing.MAGIC
        && (kind == Framing.WHOLE || kind == Framing.FIRST);
  }

  private long offset() {
    return input.position() - (end - start);
  }

  /**
   * Reads until {@code wanted} bytes are available or the input ends; returns how many are
   * available.
   */
  private int available(int wanted) throws IOException, InterruptedException {
    while (end - start < wanted && !drained) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
      if (end == buffer.length) { // grows with what was read, not with what a length claims
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int room = buffer.length - end;
      int count = input.read(buffer, end, room);
      end += count;
      drained = count < room;
    }
    return end - start;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
