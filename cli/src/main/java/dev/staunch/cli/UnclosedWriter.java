package dev.staunch.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * A writer to standard output whose close only flushes, and that detects when the reader is gone.
 */
final class UnclosedWriter extends FilterWriter {
  private final PrintWriter printer;

  UnclosedWriter(PrintWriter out) {
    super(out);
    this.printer = out;
  }

  /** The reader is gone, as with {@code | head -1}. */
  static final class ClosedPipe extends IOException {
    private static final long serialVersionUID = 1;

    ClosedPipe() {
      super("standard output was closed");
    }
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    out.write(text, offset, length);
  }

  @Override
  public void flush() throws IOException {
    if (printer.checkError()) {
      throw new ClosedPipe();
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
