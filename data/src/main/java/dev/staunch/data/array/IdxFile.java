package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One idx file, read example by example. */
final class IdxFile implements AutoCloseable {
  /** No byte of a gzip stream becomes more (RFC 1951: 258 bytes for two bits). */
  private static final long MOST_UNPACKED = 1032;

  private final Path path;
  private final IdxHeader header;
  private ByteInput input;
  private long at;

  private IdxFile(Path path, ByteInput input, IdxHeader header) {
    this.path = path;
    this.input = input;
    this.header = header;
  }

  static IdxFile open(Path path) throws IOException, InterruptedException {
    ByteInput input = ByteInput.open(path);
    boolean opened = false;
    try {
      IdxFile file = new IdxFile(path, input, IdxHeader.read(input));
      file.checkSize();
      opened = true;
      return file;
    } finally {
      if (!opened) {
        input.close();
      }
    }
  }

  /** Nothing is made as large as a header claims if the file cannot hold that. */
  private void checkSize() throws IOException {
    long most = input.fileSize() * (input.packed() ? MOST_UNPACKED : 1);
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

  IdxHeader header() {
    return header;
  }

  /** Goes to an example; from the front in a packed file. */
  void seek(long example) throws IOException, InterruptedException {
    if (example == at) {
      return;
    }
    if (!input.packed()) {
      input.seek(header.bytes() + example * header.rowBytes());
    } else {
      if (example < at) {
        input.close();
        input = ByteInput.open(path);
        IdxHeader.read(input);
        at = 0;
      }
      byte[] passed = new byte[header.rowBytes()];
      while (at < example && input.read(passed, 0, passed.length) == passed.length) {
        at++;
      }
    }
    at = example;
  }

  /** Reads the next examples; how many of them are whole. */
  int read(byte[] target, int offset, int count) throws IOException, InterruptedException {
    int width = header.rowBytes();
    int bytes = input.read(target, offset, count * width);
    at += count;
    return width == 0 ? count : bytes / width;
  }

  /** The fault of a file that ended before all its examples. */
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

  /** The fault of a file that goes on behind its last example, if it does. */
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

  long bytesRead() {
    return input.position();
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
