package dev.staunch.data.text;

import dev.staunch.data.decode.Decoder;
import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.Place;
import dev.staunch.data.decode.TextRules;
import dev.staunch.data.row.Column;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.SparseColumn;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes rows from a part of a LibSVM file. */
final class LibSvmDecoder implements Decoder {
  private final LibSvm format;

  LibSvmDecoder(LibSvm format) {
    this.format = format;
  }

  @Override
  public void decode(Part part, Rows rows) {
    if (part.length() > 0) {
      new Pass(part, rows).decode();
    }
  }

  /** What is wrong with a row, and where. */
  private record Wrong(int from, int to, String message, String expected) {}

  /** One part being decoded. */
  private final class Pass {
    private final Part part;
    private final Rows rows;
    private final byte[] bytes;
    private final NumberScanner scanner = new NumberScanner();

    /** The place for a number that the scanner leaves to {@link Numbers}. */
    private final DenseColumn one = (DenseColumn) Column.of(Field.of("value", DType.FLOAT32));

    private int here;
    private float value;

    Pass(Part part, Rows rows) {
      this.part = part;
      this.rows = rows;
      this.bytes = part.bytes();
      one.reserve(1);
    }

    void decode() {
      int at = 0;
      long lines = 0;
      while (at < part.length()) {
        int next = TextRules.LINES.rowEnd(bytes, at, part.length());
        int behind = next < 0 ? part.length() : next;
        row(at, behind, lines++);
        at = behind;
      }
      rows.setLines(lines);
    }

    private void row(int from, int behind, long lines) {
      int end = end(from, behind);
      here = from;
      blanks(end);
      if (here == end) {
        return; // blank, or a comment
      }
      rows.begin();
      for (Column column : rows.columns()) {
        if (column instanceof DenseColumn dense) {
          int width = dense.width();
          Arrays.fill(dense.bytes(), rows.count() * width, (rows.count() + 1) * width, (byte) 0);
        }
      }
      Wrong wrong = values(end);
      if (wrong == null) {
        rows.end();
      } else {
        rows.fail(telling(wrong, from, lines));
      }
    }

    /** Where a row's text ends: before a comment and the line end. */
    private int end(int from, int behind) {
      int end = from;
      while (end < behind && bytes[end] != '#' && bytes[end] != '\n' && bytes[end] != '\r') {
        end++;
      }
      return end;
    }

    private void blanks(int end) {
      while (here < end && (bytes[here] == ' ' || bytes[here] == '\t')) {
        here++;
      }
    }

    private @Nullable Wrong values(int end) {
      Wrong wrong = number(end, "a label");
      if (wrong != null) {
        return wrong;
      }
      if (format.isLabelled()) {
        ((DenseColumn) rows.columns().getLast()).putDouble(rows.count(), 0, value);
      }
      long last = -1;
      for (blanks(end); here < end && wrong == null; blanks(end)) {
        int from = here;
        long index = index(end);
        wrong = here < end && bytes[here] == ':' ? misplaced(from, index, last) : noPair(from, end);
        if (wrong == null) {
          here++;
          wrong = number(end, "a value");
          put(index);
          last = index;
        }
      }
      return wrong;
    }

    /** Reads an integer in a simple form; returns Long.MIN_VALUE for any other form. */
    private long index(int end) {
      int behind = scanner.scan(bytes, here);
      if (behind < 0 || behind > end || !scanner.isInteger()) {
        while (here < end && bytes[here] != ':' && bytes[here] != ' ') {
          here++;
        }
        return Long.MIN_VALUE;
      }
      here = behind;
      return scanner.integer() == Long.MIN_VALUE ? -1 : scanner.integer() - format.base();
    }

    private @Nullable Wrong misplaced(int from, long index, long last) {
      String expected =
          Message.of("an index from %d to %d", format.base(), format.width() - 1 + format.base());
      String text = text(from, here);
      if (index == Long.MIN_VALUE) {
        return new Wrong(from, here, Message.of("`%s` is not an index", text), expected);
      }
      if (index < 0 || index >= format.width()) {
        String remedy =
            index == format.width() && format.base() == 0
                ? "; if the file counts from 1, say oneBased()"
                : "";
        String told = Message.of("the index %s is out of range%s", text, remedy);
        return new Wrong(from, here, told, expected);
      }
      if (index <= last) {
        String told = Message.of("the index %s does not come behind the one before", text);
        return new Wrong(from, here, told, "indices that ascend");
      }
      return null;
    }

    private Wrong noPair(int from, int end) {
      int to = here;
      while (to < end && bytes[to] != ' ' && bytes[to] != '\t') {
        to++;
      }
      String told = Message.of("`%s` is not an index with a value", text(from, to));
      return new Wrong(from, to, told, "index:value");
    }

    private void put(long index) {
      switch (rows.columns().getFirst()) {
        case DenseColumn dense -> dense.putDouble(rows.count(), (int) index, value);
        case SparseColumn sparse -> {
          int at = sparse.add(index);
          sparse.values().putDouble(at, 0, value);
        }
      }
    }

    /** Reads a float up to the next blank; returns what is wrong with it, or null. */
    private @Nullable Wrong number(int end, String what) {
      int from = here;
      int behind = scanner.scan(bytes, here);
      float scanned = behind < 0 || behind > end ? Float.NaN : scanner.float32();
      boolean bounded = behind == end || (behind > 0 && behind < end && bytes[behind] <= ' ');
      if (bounded && !Float.isNaN(scanned)) {
        value = scanned;
        here = behind;
        return null;
      }
      while (here < end && bytes[here] != ' ' && bytes[here] != '\t') {
        here++;
      }
      String wrong = Numbers.store(text(from, here), one, 0, 0);
      value = one.floatAt(0);
      return wrong == null
          ? null
          : new Wrong(from, here, wrong, what + ", " + Numbers.expected(DType.FLOAT32));
    }

    private String text(int from, int to) {
      return Place.shown(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }

    private Rows.Telling telling(Wrong wrong, int rowFrom, long lines) {
      String file = part.file();
      long offset = part.offset() + wrong.from;
      String text = text(wrong.from, wrong.to);
      int column = wrong.from - rowFrom + 1;
      return before ->
          new Place(file, "row", before + lines + 1, column, offset, text)
              .fault(wrong.message, wrong.expected, text);
    }
  }
}
