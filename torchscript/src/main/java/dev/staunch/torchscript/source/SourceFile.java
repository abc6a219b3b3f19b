package dev.staunch.torchscript.source;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One file of an archive's code, parsed. Immutable. Reading is safe against hostile text: time and
 * memory are linear in it, nesting is bounded, and every error is a typed fault with its line.
 */
public final class SourceFile {
  private final String name;
  private final byte[] text;
  private final int[] lineStarts;
  private final List<Definition> definitions;

  private SourceFile(String name, byte[] text) {
    this.name = name;
    this.text = text;
    this.lineStarts = lineStarts(text);
    this.definitions = List.of();
  }

  private SourceFile(SourceFile raw, List<Definition> definitions) {
    this.name = raw.name;
    this.text = raw.text;
    this.lineStarts = raw.lineStarts;
    this.definitions = List.copyOf(definitions);
  }

  /**
   * @param name the record's name in the archive, such as {@code code/__torch__.py}
   * @throws StaunchException of type data format, with the line, if the text is no TorchScript
   */
  public static SourceFile parse(String name, byte[] utf8) {
    SourceFile raw = unparsed(name, utf8.clone());
    return new SourceFile(raw, new Parser(raw).file());
  }

  /** A text that defines nothing yet, to read from and to place faults in. */
  static SourceFile unparsed(String name, byte[] utf8) {
    return new SourceFile(name, utf8);
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

  /** Classes and functions in the order of the file. */
  public List<Definition> definitions() {
    return definitions;
  }

  public String text() {
    return new String(text, StandardCharsets.UTF_8);
  }

  /** The text's own bytes, not to be written to. */
  byte[] bytes() {
    return text;
  }

  /**
   * The line and column (both one-based, the column in bytes) at a byte offset, and the text of the
   * line, of long ones the start. An offset outside of the file counts as its nearest end.
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

  /** The exception for what is wrong at a byte offset. */
  StaunchException fault(int position, String message) {
    return Fault.of(FaultType.DATA_FORMAT, message)
        .withInput(name)
        .withSource(location(position))
        .toException();
  }
}
