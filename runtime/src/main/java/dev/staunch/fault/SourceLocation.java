package dev.staunch.fault;

import org.jspecify.annotations.Nullable;

/**
 * A place in a text that a person wrote or can open: a line of the model's Python source, of an
 * archive's code member, of a program text, or a row of a data file.
 *
 * @param file the name of the file as its producer recorded it; never empty
 * @param line one-based, 0 when only the file is known
 * @param column one-based, 0 when unknown
 * @param text the text of the line without its indentation, if it is known
 * @param emitted where the line stands in the archive's own code, when {@code file} names the
 *     original source it came from
 */
public record SourceLocation(
    String file, int line, int column, @Nullable String text, @Nullable SourceLocation emitted) {

  public SourceLocation {
    if (file.isEmpty() || line < 0 || column < 0) {
      throw new IllegalArgumentException("source location without file or with negative place");
    }
  }

  public static SourceLocation of(String file, int line, int column) {
    return new SourceLocation(file, line, column, null, null);
  }

  /** {@code file:line:column}, as far as they are known. */
  public String place() {
    String place = line == 0 ? file : file + ":" + line;
    return line == 0 || column == 0 ? place : place + ":" + column;
  }

  @Override
  public String toString() {
    return text == null ? place() : place() + ": " + text;
  }
}
