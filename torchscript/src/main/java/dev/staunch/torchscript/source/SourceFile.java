package dev.staunch.torchscript.source;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One file of an archive's code. Immutable. */
public final class SourceFile {
  private final String name;
  private final byte[] text;
  private final int[] lineStarts;

  /**
   * @param name the record's name in the archive, such as {@code code/__torch__.py}
   * @param utf8 must not be modified afterwards
   */
  public SourceFile(String name, byte[] utf8) {
    this.name = name;
    this.text = utf8;
    this.lineStarts = lineStarts(utf8);
  }

  private static int[] lineStarts(byte[] text) {
    int[] starts = new int[16];
    int count = 1;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\n') {
        if (count == starts.length) {
          starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, count);
  }

  public String name() {
    return name;
  }

  public String text() {
    return new String(text, StandardCharsets.UTF_8);
  }

  /** The text's own bytes, which must not be modified. */
  byte[] bytes() {
    return text;
  }

  /**
   * The line and column (both one-based, the column in bytes) at a byte offset, and the text of the
   * line; a long line is cut. An offset outside the file counts as its nearest end.
   */
  public SourceLocation location(int offset) {
    int position = Math.clamp(offset, 0, text.length);
    int found = Arrays.binarySearch(lineStarts, position);
    int line = found >= 0 ? found : -found - 2;
    int start = lineStarts[line];
    int end = line + 1 < lineStarts.length ? lineStarts[line + 1] : text.length;
    int shown = Math.min(end, start + 400);
    String content = new String(text, start, shown - start, StandardCharsets.UTF_8).strip();
    return new SourceLocation(name, line + 1, position - start + 1, content, null);
  }

  /** The exception for an error at a byte offset. */
  StaunchException fault(int position, String message) {
    return Fault.of(FaultType.DATA_FORMAT, message)
        .withInput(name)
        .withSource(location(position))
        .toException();
  }
}
