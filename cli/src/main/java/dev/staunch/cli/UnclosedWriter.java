package dev.staunch.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/** Standard output as a writer that closing only flushes, and that notices when nobody reads. */
final class UnclosedWriter extends FilterWriter {
  private final PrintWriter printer;

  UnclosedWriter(PrintWriter out) {
    super(out);
    this.printer = out;
  }

  /** Nobody reads what is written any more, as behind {@code | head -1}. */
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
