package dev.staunch.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why a write failed. {@code System.out} does not, and a full disk
 * would look like a reader that went away.
 */
final class StandardOutput extends OutputStream {
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private volatile @Nullable IOException failure;

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] octets, int offset, int length) throws IOException {
    try {
      out.write(octets, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /**
   * Why the file or device behind standard output could not be written. Null if no write failed, or
   * if standard output is a pipe, where the only possible failure is that the reader goes away.
   */
  @Nullable String lostToFile() {
    IOException why = failure;
    return why != null && isFileOrDevice() ? Console.sentence(why) : null;
  }

  private static boolean isFileOrDevice() {
    try {
      Path real = Path.of("/dev/stdout").toRealPath(); // a pipe has none
      boolean closed = real.equals(Path.of("/dev/null")); // what the launcher substitutes
      return Files.isRegularFile(real) || (real.startsWith("/dev") && !closed);
    } catch (IOException e) {
      return false;
    }
  }
}
