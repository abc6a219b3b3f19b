package dev.staunch.data.decode;

/**
 * How text is split into rows.
 *
 * @param quote the mark between whose pairs line ends and delimiters have no meaning; 0 if there is
 *     none
 * @param delimiter a quoted field begins only after this or at the start of a row
 */
public record TextRules(byte quote, byte delimiter) {
  /** Every line is a row. */
  public static final TextRules LINES = new TextRules((byte) 0, (byte) 0);

  /**
   * Returns where the row that begins at {@code at} ends, including its line end; -1 if it does not
   * end before {@code to}. A quotation mark in the middle of a field opens nothing and is an
   * ordinary character.
   */
  public int rowEnd(byte[] bytes, int at, int to) {
    boolean fresh = true;
    int here = at;
    while (here < to) {
      byte c = bytes[here];
      if (fresh && quote != 0 && c == quote) {
        here = closing(bytes, here + 1, to);
        if (here < 0) {
          return -1;
        }
        fresh = false;
      } else if (c == '\n') {
        return here + 1;
      } else if (c == '\r') {
        return here + 1 < to ? here + (bytes[here + 1] == '\n' ? 2 : 1) : -1;
      } else {
        fresh = c == delimiter;
        here++;
      }
    }
    return -1;
  }

  /**
   * Returns the position after the mark that closes what was opened before {@code at}; -1 if there
   * is none.
   */
  private int closing(byte[] bytes, int at, int to) {
    int here = at;
    while (true) {
      int mark = ByteScan.indexOf(bytes, here, to, quote);
      if (mark < 0) {
        return -1;
      }
      if (mark + 1 < to && bytes[mark + 1] == quote) {
        here = mark + 2; // two marks stand for one
      } else {
        return mark + 1;
      }
    }
  }

  /** The number of lines in {@code [from, to)}; the last may lack its line end. */
  public static long lines(byte[] bytes, int from, int to) {
    long lines = 0;
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n' || (bytes[at] == '\r' && (at + 1 == to || bytes[at + 1] != '\n'))) {
        lines++;
      }
    }
    boolean open = from < to && bytes[to - 1] != '\n' && bytes[to - 1] != '\r';
    return open ? lines + 1 : lines;
  }
}
