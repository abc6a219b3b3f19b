package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads one text file part by part. */
final class TextFile implements AutoCloseable {
  /** How many bytes a number parser may read beyond the last row. */
  static final int SLACK = 16;

  private static final int MARK_BYTES = 3;

  private final ByteInput input;
  private final TextRules rules;
  private final long from;
  private final long to;
  private final int mostRows;

  /**
   * What was read and not yet returned: {@code [start, end)} of the buffer, which begins with a
   * row.
   */
  private byte[] buffer = new byte[LineParts.PART_BYTES];

  private int start;
  private int end;
  private boolean drained;
  private boolean over;
  private long linesPassed;
  private boolean first = true;
  private @Nullable Object note;

  TextFile(ByteInput input, TextRules rules, long from, long to, int mostRows) {
    this.input = input;
    this.rules = rules;
    this.from = from;
    this.to = to;
    this.mostRows = mostRows;
  }

  /** Reads the front; returns a fault if the file is empty or not text. */
  @Nullable Fault begin() throws IOException, InterruptedException {
    fill();
    String name = input.name();
    if (end == 0) {
      Fault damage = input.damage();
      return damage != null
          ? damage
          : Place.of(name).fault(name + " is empty", "at least one row", "no byte");
    }
    int mark = (buffer[0] & 0xff) << 8 | (end > 1 ? buffer[1] & 0xff : 0);
    if (end > 1 && (mark == 0xfeff || mark == 0xfffe)) {
      String text = "%s is in UTF-16; convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8";
      return Place.at(name, 0).fault(Message.of(text, name), "text in UTF-8", "text in UTF-16");
    }
    boolean marked = end >= MARK_BYTES && mark == 0xefbb && (buffer[2] & 0xff) == 0xbf;
    start = marked ? MARK_BYTES : 0;
    return null;
  }

  /** Takes the first row, without its line end; returns null if it never ends. */
  byte @Nullable [] firstRow() throws IOException, InterruptedException {
    int rowEnd = rules.rowEnd(buffer, start, end);
    while (rowEnd < 0 && !drained && end - start < LineParts.LONGEST_ROW) {
      fill();
      rowEnd = rules.rowEnd(buffer, start, end);
    }
    if (rowEnd < 0 && !drained) {
      return null;
    }
    int behind = rowEnd < 0 ? end : rowEnd;
    byte[] row = Arrays.copyOfRange(buffer, start, behind);
    linesPassed += TextRules.lines(buffer, start, behind);
    start = behind;
    int length = row.length;
    while (length > 0 && (row[length - 1] == '\n' || row[length - 1] == '\r')) {
      length--;
    }
    return Arrays.copyOf(row, length);
  }

  /**
   * Goes to the row at which a part began, unless that is the first row. Returns a fault if no row
   * begins there any more.
   */
  @Nullable Fault enter(Mark mark) throws IOException, InterruptedException {
    if (mark.at() <= offset()) {
      return null;
    }
    input.seek(mark.at() - 1);
    start = 0;
    end = input.read(buffer, 0, 1);
    if (end == 0 || (buffer[0] != '\n' && buffer[0] != '\r')) {
      String text = "%s has changed since the position was saved: no row begins here";
      return Place.at(input.name(), mark.at())
          .fault(Message.of(text, input.name()), "a row's begin", "the midst of one, or the end");
    }
    end = 0;
    drained = false;
    linesPassed = mark.lines();
    return null;
  }

  void setNote(Object told) {
    note = told;
  }

  long bytesRead() {
    return input.bytesRead();
  }

  /**
   * Reads more bytes after those in the buffer. The buffer has room for exactly the longest row, so
   * a longer one never fits, wherever it lies.
   */
  private void fill() throws IOException, InterruptedException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (buffer.length - end < LineParts.PART_BYTES / 2 && buffer.length < LineParts.LONGEST_ROW) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int wanted = buffer.length - end;
    int count = input.read(buffer, end, wanted);
    end += count;
    drained = count < wanted;
  }

  private long offset() {
    return input.position() - (end - start);
  }

  /**
   * Reads the next rows of the shard; returns false if there are no more rows and no trouble to
   * report.
   */
  boolean next(Part part) throws IOException, InterruptedException {
    while (!over) {
      if (!drained && end - start < LineParts.PART_BYTES) {
        fill();
      }
      part.begin(input.name(), offset(), 0, first);
      part.skipLines(linesPassed);
      if (note != null) {
        part.setNote(note);
      }
      if (cut(part)) {
        first = false;
        return true;
      }
    }
    return false;
  }

  /** Splits whole rows off the front; returns false if none of them belongs to this shard. */
  private boolean cut(Part part) throws IOException, InterruptedException {
    boolean quoted = rules.quote() != 0 && ByteScan.indexOf(buffer, start, end, rules.quote()) >= 0;
    int behind = quoted ? lastRowEnd() : lastLineEnd();
    int few = rowsEnd(behind);
    if (few < behind) {
      return give(part, few, quoted);
    }
    if (drained && (!quoted || behind == end)) {
      over = true;
      behind = input.damage() == null ? end : behind;
    } else if (behind == start) {
      return endless(part);
    }
    return give(part, behind, quoted);
  }

  /** The end of as many rows as a part may have; {@code behind} if there are no more. */
  private int rowsEnd(int behind) {
    int at = start;
    for (int row = 0; row < mostRows && mostRows < Integer.MAX_VALUE; row++) {
      int next = rules.rowEnd(buffer, at, behind);
      if (next < 0) {
        return behind;
      }
      at = next;
    }
    return mostRows < Integer.MAX_VALUE ? at : behind;
  }

  private int lastLineEnd() {
    int line = ByteScan.lastIndexOf(buffer, start, end, (byte) '\n');
    int behind = line >= 0 ? line : ByteScan.lastIndexOf(buffer, start, end - 1, (byte) '\r');
    return behind < 0 ? start : behind + 1;
  }

  /** The position after the last whole row. At the end of the file, a row needs no line end. */
  private int lastRowEnd() {
    int at = start;
    for (int row = rules.rowEnd(buffer, at, end); row >= 0; row = rules.rowEnd(buffer, at, end)) {
      at = row;
    }
    boolean whole = drained && input.damage() == null && isClosed(at);
    return whole ? end : at;
  }

  /** Whether the row at {@code at}, which has no line end, has no open quote. */
  private boolean isClosed(int at) {
    byte[] ended = Arrays.copyOfRange(buffer, at, end + 1);
    ended[ended.length - 1] = '\n';
    return rules.rowEnd(ended, 0, ended.length) == ended.length;
  }

  /** Handles a buffer in which no row ends: reads more, or gives up the row's first line. */
  private boolean endless(Part part) throws IOException, InterruptedException {
    if (!drained && end - start < LineParts.LONGEST_ROW) {
      fill();
      return false;
    }
    Fault damage = drained ? input.damage() : null;
    if (damage != null) {
      over = true;
      part.setTrouble(lines -> damage);
      return true;
    }
    long at = offset();
    String text = new String(buffer, start, Math.min(200, end - start), StandardCharsets.UTF_8);
    boolean quote = rules.quote() != 0 && ByteScan.indexOf(buffer, start, end, rules.quote()) >= 0;
    String name = input.name();
    part.setLength(0);
    part.setTrouble(lines -> endlessFault(name, lines + 1, at, text, quote));
    passLine();
    return true;
  }

  private static Fault endlessFault(String name, long row, long at, String text, boolean quote) {
    int line = text.indexOf('\n');
    Place place = new Place(name, "row", row, 0, at, line < 0 ? text : text.substring(0, line));
    return quote
        ? place.fault("a quotation mark that opens is never closed", "a closing mark", text)
        : place.fault(
            Message.of("the row has no end within %d bytes", LineParts.LONGEST_ROW),
            "a line end",
            text);
  }

  /** Skips the first line. */
  private void passLine() throws IOException, InterruptedException {
    int line = TextRules.LINES.rowEnd(buffer, start, end);
    while (line < 0 && !drained) {
      start = end - 1; // the last byte may be a CR
      fill();
      line = TextRules.LINES.rowEnd(buffer, start, end);
    }
    start = line < 0 ? end : line;
    over = drained && start == end;
    linesPassed = 1;
  }

  /** Returns, in {@code part}, the rows up to {@code behind} that begin in the shard's range. */
  private boolean give(Part part, int behind, boolean quoted) {
    long offset = offset();
    int stop = to - offset < behind - start ? rowFrom(to, behind) : behind;
    int begin = from > offset ? rowFrom(from, stop) : start;
    if (stop < behind) {
      over = true;
    }
    long passed = begin > start ? TextRules.lines(buffer, start, begin) : 0;
    part.begin(input.name(), offset + begin - start, 0, first);
    part.skipLines(linesPassed + passed);
    if (note != null) {
      part.setNote(note);
    }
    linesPassed = 0;
    int length = stop - begin;
    byte[] bytes = part.room(length + SLACK);
    System.arraycopy(buffer, begin, bytes, 0, length);
    Arrays.fill(bytes, length, length + SLACK, (byte) '\n');
    part.setLength(length);
    part.setQuoted(quoted);
    Fault damage = over && stop == behind ? input.damage() : null;
    if (damage != null) {
      part.setTrouble(lines -> damage);
    }
    start = behind;
    if (length == 0 && damage == null) {
      linesPassed = part.linesSkipped();
      return false;
    }
    return true;
  }

  /**
   * The start of the first row at or after byte {@code wanted} of the file, at most {@code behind}.
   */
  private int rowFrom(long wanted, int behind) {
    long offset = offset();
    int at = start;
    while (at < behind && offset + at - start < wanted) {
      int row = rules.rowEnd(buffer, at, behind);
      at = row < 0 ? behind : row;
    }
    return at;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
