package dev.staunch.data.record;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes a RecordIO file and, optionally, its index. Not thread-safe. */
public final class RecordWriter implements AutoCloseable {
  private final OutputStream out;
  private final @Nullable OutputStream index;
  private long at;

  private RecordWriter(OutputStream out, @Nullable OutputStream index) {
    this.out = out;
    this.index = index;
  }

  /** Creates a file without an index. */
  public static RecordWriter open(Path file) throws IOException {
    return new RecordWriter(new BufferedOutputStream(Files.newOutputStream(file)), null);
  }

  /** Creates a file and its index, which has one line per record: key, tab, offset. */
  public static RecordWriter open(Path file, Path indexFile) throws IOException {
    OutputStream records = new BufferedOutputStream(Files.newOutputStream(file));
    try {
      return new RecordWriter(records, new BufferedOutputStream(Files.newOutputStream(indexFile)));
    } catch (IOException e) {
      records.close();
      throw e;
    }
  }

  /**
   * Appends a record.
   *
   * @return the offset at which it begins
   * @throws dev.staunch.fault.StaunchException.ValueException if it is longer than 2^29 - 1 bytes
   */
  public long write(long key, byte[] record) throws IOException {
    if (record.length > Framing.LONGEST) {
      throw Fault.value(
              Message.of("a record of %d bytes is longer than the format allows", record.length))
          .toException();
    }
    long begin = at;
    OutputStream keys = index;
    if (keys != null) {
      keys.write((key + "\t" + begin + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    int from = 0;
    ByteBuffer words = Framing.over(record);
    for (int i = 0; i + Integer.BYTES <= record.length; i += Integer.BYTES) {
      if (words.getInt(i) == Framing.MAGIC) {
        piece(from == 0 ? Framing.FIRST : Framing.MIDDLE, record, from, i);
        from = i + Integer.BYTES;
      }
    }
    piece(from == 0 ? Framing.WHOLE : Framing.LAST, record, from, record.length);
    return begin;
  }

  private void piece(int kind, byte[] record, int from, int to) throws IOException {
    int length = to - from;
    byte[] header = new byte[Framing.HEADER];
    Framing.over(header).putInt(Framing.MAGIC).putInt(kind << 29 | length);
    out.write(header);
    out.write(record, from, length);
    int padding = Framing.padded(length) - length;
    out.write(new byte[padding]);
    at += Framing.HEADER + length + padding;
  }

  @Override
  public void close() throws IOException {
    try {
      out.close();
    } finally {
      if (index != null) {
        index.close();
      }
    }
  }
}
