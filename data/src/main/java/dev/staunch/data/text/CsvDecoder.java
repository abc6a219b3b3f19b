package dev.staunch.data.text;

import dev.staunch.data.decode.Decoder;
import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.TextRules;
import dev.staunch.data.row.Column;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Rows;
import dev.staunch.type.DType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rows from a part of a CSV file. */
final class CsvDecoder implements Decoder {
  private final Csv csv;
  private final TextRules rules;
  private final @Nullable CsvLayout plain;
  private final boolean scanning;

  /**
   * @param scanning whether {@link NumberScanner} reads rows where it can; the result is the same
   */
  CsvDecoder(Csv csv, TextRules rules, boolean scanning) {
    this.csv = csv;
    this.rules = rules;
    this.plain = csv.hasHeader() ? null : CsvLayout.of(csv);
    this.scanning = scanning;
  }

  @Override
  public void decode(Part part, Rows rows) {
    if (part.length() > 0) {
      CsvLayout layout = part.note() instanceof CsvLayout noted ? noted : plain;
      if (layout == null) {
        throw new IllegalStateException("a file with a header has no layout");
      }
      new Pass(part, rows, layout).decode();
    }
  }

  /** One part being decoded. */
  private final class Pass {
    private final Part part;
    private final Rows rows;
    private final CsvLayout layout;
    private final byte[] bytes;
    private final NumberScanner scanner = new NumberScanner();
    private final byte delimiter = (byte) csv.delimiter();
    private long lines;

    Pass(Part part, Rows rows, CsvLayout layout) {
      this.part = part;
      this.rows = rows;
      this.layout = layout;
      this.bytes = part.bytes();
    }

    void decode() {
      int at = 0;
      int end = part.length();
      while (at < end) {
        int next = lineEnd(at);
        if (next >= 0) {
          at = next; // a blank line
        } else {
          int row = rows.begin();
          next = scanning ? scanned(at, row) : -1;
          if (next < 0) {
            next = row(at, end);
          } else {
            rows.end();
          }
          at = next;
        }
        lines++;
      }
      rows.setLines(lines);
    }

    /** The position after the line end at {@code at}; -1 if there is none. */
    private int lineEnd(int at) {
      byte c = bytes[at];
      if (c == '\n') {
        return at + 1;
      }
      if (c == '\r') {
        return at + (bytes[at + 1] == '\n' && at + 1 < part.length() ? 2 : 1);
      }
      return -1;
    }

    /**
     * Scans a row of plain numbers; returns where the next row begins, or -1 if the row is not that
     * plain.
     */
    private int scanned(int at, int row) {
      int here = layout.isFloat32() ? floats(at, row) : numbers(at, row);
      int next = here < 0 ? -1 : lineEnd(here);
      return next < 0 ? -1 : Math.min(next, part.length());
    }

    private int floats(int at, int row) {
      List<Column> columns = rows.columns();
      int here = at;
      for (int i = 0; i < columns.size(); i++) {
        DenseColumn column = (DenseColumn) columns.get(i);
        int count = (int) column.field().elements();
        int to = row * column.width();
        here = scanner.floats(bytes, here, delimiter, column.bytes(), to, count);
        boolean last = i == columns.size() - 1;
        if (here < 0 || (!last && bytes[here++] != delimiter)) {
          return -1;
        }
      }
      return here;
    }

    private int numbers(int at, int row) {
      int width = layout.width();
      int here = at;
      for (int i = 0; i < width; i++) {
        here = layout.isIgnored(i) ? ignored(here) : number(here, row, i);
        boolean last = i == width - 1;
        if (here < 0 || (!last && bytes[here++] != delimiter)) {
          return -1;
        }
      }
      return here;
    }

    /** The position after a field that is not wanted and has no quote; -1 if it has one. */
    private int ignored(int at) {
      int here = at;
      while (bytes[here] != delimiter && bytes[here] != '\n' && bytes[here] != '\r') {
        if (bytes[here] == '"') {
          return -1;
        }
        here++;
      }
      return here;
    }

    private int number(int at, int row, int i) {
      int here = scanner.scan(bytes, at);
      if (here < 0) {
        return -1;
      }
      DenseColumn column = (DenseColumn) rows.columns().get(layout.field(i));
      DType dtype = column.field().dtype();
      if (dtype == DType.FLOAT32 || dtype == DType.FLOAT64) {
        double value = dtype == DType.FLOAT32 ? scanner.float32() : scanner.float64();
        column.putDouble(row, layout.element(i), value);
        return Double.isNaN(value) ? -1 : here;
      }
      boolean isLong = dtype == DType.BOOL && here - at > 1; // such as 01
      if (isLong
          || dtype.isFloating()
          || !scanner.isInteger()
          || !column.field().holds(scanner.integer())) {
        return -1;
      }
      column.putLong(row, layout.element(i), scanner.integer());
      return here;
    }

    /**
     * Reads a row field by field and reports what is wrong with it; returns where the next row
     * begins.
     */
    private int row(int at, int end) {
      int next = rules.rowEnd(bytes, at, end);
      int behind = next < 0 ? end : next;
      CsvRow row = new CsvRow(csv, layout, part, at, behind);
      Rows.Telling wrong = row.store(rows, lines);
      if (wrong == null) {
        rows.end();
      } else {
        rows.fail(wrong);
      }
      lines += TextRules.lines(bytes, at, behind) - 1;
      return behind;
    }
  }
}
