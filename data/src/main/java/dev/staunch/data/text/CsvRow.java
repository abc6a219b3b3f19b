package dev.staunch.data.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Part;
import dev.staunch.data.decode.Place;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Rows;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row of a part, read as strings: rows that the scanner rejects, and rows with faults. */
final class CsvRow {
  private static final int LONGEST_FIELD = 1 << 22;
  private static final int LOOK = 1 << 16;

  private final Csv csv;
  private final CsvLayout layout;
  private final Part part;
  private final int from;
  private final String text;

  CsvRow(Csv csv, CsvLayout layout, Part part, int from, int to) {
    this.csv = csv;
    this.layout = layout;
    this.part = part;
    this.from = from;
    int end = to;
    while (end > from && (part.bytes()[end - 1] == '\n' || part.bytes()[end - 1] == '\r')) {
      end--;
    }
    this.text = new String(part.bytes(), from, end - from, StandardCharsets.UTF_8);
  }

  /** The first non-blank line at the front of a file; empty if there is none. */
  static String firstOf(Path file) throws IOException {
    byte[] front = new byte[LOOK];
    int length;
    try (ByteInput input = ByteInput.open(file)) {
      length = input.read(front, 0, LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("looking at " + file + " was interrupted", e);
    }
    String text = new String(front, 0, length, StandardCharsets.UTF_8);
    return text.replaceFirst("^\ufeff", "")
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElse("");
  }

  /**
   * Splits a row into its fields, a list of strings; or returns a message that says why it is not a
   * valid row.
   */
  static Object split(String row, char delimiter) {
    if (row.indexOf('"') < 0) {
      return plain(row, delimiter);
    }
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .fieldSeparator(delimiter)
            .skipEmptyLines(false)
            .maxBufferSize(LONGEST_FIELD)
            .ofCsvRecord(row)) {
      var records = reader.iterator();
      return records.hasNext() ? records.next().getFields() : List.of("");
    } catch (CsvParseException e) {
      String why = e.getMessage();
      return "the row is not quoted as it should be" + (why == null ? "" : ": " + why);
    } catch (IOException e) {
      return "the row cannot be read: " + e.getMessage();
    }
  }

  private static List<String> plain(String row, char delimiter) {
    List<String> fields = new ArrayList<>();
    int start = 0;
    for (int at = row.indexOf(delimiter); at >= 0; at = row.indexOf(delimiter, start)) {
      fields.add(row.substring(start, at));
      start = at + 1;
    }
    fields.add(row.substring(start));
    return fields;
  }

  /**
   * Stores the numbers in the row that was begun; returns what is wrong, if anything. {@code
   * before} is the number of preceding lines in the part.
   */
  Rows.@Nullable Telling store(Rows rows, long before) {
    Object split = split(text, csv.delimiter());
    if (split instanceof String wrong) {
      return telling(before, 0, text, wrong, "fields as RFC 4180 has them", text);
    }
    @SuppressWarnings("unchecked") // split() returns either a message or this
    List<String> fields = (List<String>) split;
    String misfit = layout.misfit(fields.size());
    if (!misfit.isEmpty()) {
      String found = Message.count(fields.size(), "value");
      return telling(before, 0, text, misfit, layout.values(), found);
    }
    for (int i = 0; i < layout.width(); i++) {
      if (!layout.isIgnored(i)) {
        Rows.Telling wrong = store(rows, before, fields, i);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  private Rows.@Nullable Telling store(Rows rows, long before, List<String> fields, int i) {
    DenseColumn column = (DenseColumn) rows.columns().get(layout.field(i));
    String field = fields.get(i);
    int row = rows.count();
    int element = layout.element(i);
    String wrong =
        field.isBlank() && csv.empty().isPresent()
            ? Numbers.storeForNone(csv.empty().getAsDouble(), column, row, element)
            : Numbers.store(field, column, row, element);
    if (wrong == null) {
      return null;
    }
    String expected = Numbers.expected(column.field().dtype());
    return telling(before, i + 1, field, wrong + layout.called(i), expected, field);
  }

  private Rows.Telling telling(
      long before, int column, String shown, String wrong, String expected, String found) {
    String file = part.file();
    long offset = part.offset() + from + prefix(column);
    return lines ->
        new Place(file, "row", lines + before + 1, column, offset, shown)
            .fault(wrong, expected, found);
  }

  /** How many bytes of the row come before a column; 0 if quotes make that hard to tell. */
  private int prefix(int column) {
    if (column <= 1 || text.indexOf('"') >= 0) {
      return 0;
    }
    int start = 0;
    for (int i = 1; i < column; i++) {
      start = text.indexOf(csv.delimiter(), start) + 1;
    }
    return text.substring(0, start).getBytes(StandardCharsets.UTF_8).length;
  }
}
