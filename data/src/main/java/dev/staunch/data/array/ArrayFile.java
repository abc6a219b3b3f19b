package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One file of consecutive examples, read example by example. */
final class ArrayFile implements AutoCloseable {
  /** One byte of a gzip stream expands to no more than this (RFC 1951: 258 bytes for two bits). */
  private static final long MOST_UNPACKED = 1032;

  /** Reads the header of a file, and no byte beyond it. */
  interface Front {
    ArrayHeader read(ByteInput input) throws IOException, InterruptedException;
  }

  private final ByteInput input;
  private final ArrayHeader header;
  private long at;

  private ArrayFile(ByteInput input, ArrayHeader header) {
    this.input = input;
    this.header = header;
  }

  /** Opens a file; closes {@code input} on failure. */
  static ArrayFile open(ByteInput input, Front front) throws IOException, InterruptedException {
    boolean opened = false;
    try {
      ArrayFile file = new ArrayFile(input, front.read(input));
      file.checkSize();
      opened = true;
      return file;
    } finally {
      if (!opened) {
        input.close();
      }
    }
  }

  /**
   * Checks that the file can hold what its header claims, before anything of that size is
   * allocated.
   */
  private void checkSize() {
    long most = mostBytes();
    if (header.rowBytes() > most) {
      String text = "the header of %s claims %d bytes an example, more than the file has";
      throw Place.at(header.file(), header.bytes())
          .fault(
              Message.of(text, header.file(), header.rowBytes()),
              header.rowBytes() + " bytes",
              "at most " + most + " bytes")
          .toException();
    }
  }

  private long mostBytes() {
    return input.fileSize() * (input.packed() ? MOST_UNPACKED : 1);
  }

  ArrayHeader header() {
    return header;
  }

  /** Goes to an example; a compressed file is decompressed up to there. */
  void seek(long example) throws IOException, InterruptedException {
    if (example != at) {
      input.seek(header.bytes() + example * header.rowBytes());
      at = example;
    }
  }

  /** Reads the next examples; returns how many of them are complete. */
  int read(byte[] target, int offset, int count) throws IOException, InterruptedException {
    int width = header.rowBytes();
    int bytes = input.read(target, offset, count * width);
    at += count;
    return width == 0 ? count : bytes / width;
  }

  /**
   * Reads all examples at once.
   *
   * @throws StaunchException if the file has fewer or more
   */
  byte[] all() throws IOException, InterruptedException {
    int width = Math.max(1, header.rowBytes());
    int most = (int) Math.min(header.count(), mostBytes() / width + 1); // there cannot be more
    byte[] bytes = new byte[Math.multiplyExact(most, header.rowBytes())];
    Fault fault = read(bytes, 0, most) < header.count() ? cut() : rest();
    if (fault != null) {
      throw fault.toException();
    }
    return bytes;
  }

  /** The fault for a file that ended before all its examples. */
  Fault cut() {
    Fault damage = input.damage();
    long here = input.position();
    long whole = header.bytes() + header.count() * header.rowBytes();
    String text = "%s ends here, %d bytes before the end of its %d examples";
    return damage != null
        ? damage
        : Place.at(header.file(), here)
            .fault(
                Message.of(text, header.file(), whole - here, header.count()),
                whole + " bytes",
                here + " bytes");
  }

  /** The fault for a file that continues after its last example; null if it does not. */
  @Nullable Fault rest() throws IOException, InterruptedException {
    boolean more = input.read(new byte[1], 0, 1) > 0;
    Fault damage = input.damage();
    String text = "%s goes on behind its %d examples";
    return damage != null || !more
        ? damage
        : Place.at(header.file(), input.position() - 1)
            .fault(
                Message.of(text, header.file(), header.count()),
                "the end of the file",
                "more bytes");
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
