package dev.staunch.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** Standard output as a writer that closing only flushes. */
final class UnclosedWriter extends FilterWriter {
  UnclosedWriter(Writer out) {
    super(out);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    out.write(text, offset, length);
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
