package dev.staunch.torchscript.pickle;

import dev.staunch.fault.SourceLocation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A piece of the Python source that an archive was made from, with its lines. */
final class OriginalSource {
  /** A source without lines. */
  static final OriginalSource UNKNOWN = new OriginalSource("", "", 0);

  /** The most characters of a line that a location shows. */
  private static final int SHOWN = 400;

  private final String file;
  private final String text;
  private final long firstLine;
  private final int[] lineStarts;

  /**
   * @param firstLine the number of the text's first line in its file
   */
  OriginalSource(String file, String text, long firstLine) {
    this.file = file;
    this.text = text;
    this.firstLine = firstLine;
    this.lineStarts = lineStarts(text);
  }

  private static int[] lineStarts(String text) {
    int[] starts = new int[16];
    int count = 1;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, count * 2);
      }
      starts[count++] = end + 1;
    }
    return Arrays.copyOf(starts, count);
  }

  /** The line and column of a character, with the line's text; a long line is cut. */
  @Nullable SourceLocation location(long position) {
    if (file.isEmpty() || position > text.length()) {
      return null;
    }
    int at = (int) Math.max(0, position);
    int found = Arrays.binarySearch(lineStarts, at);
    int line = found >= 0 ? found : -found - 2;
    int start = lineStarts[line];
    int end = line + 1 < lineStarts.length ? lineStarts[line + 1] : text.length();
    String shown = text.substring(start, Math.min(end, start + SHOWN)).strip();
    long number = firstLine + line;
    boolean sane = number > 0 && number < Integer.MAX_VALUE;
    return sane ? new SourceLocation(file, (int) number, at - start + 1, shown, null) : null;
  }
}
