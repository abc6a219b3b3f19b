package dev.staunch.data.text;

import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps each column of a file to an element of a field. */
final class CsvLayout {
  private static final int IGNORED = -1;

  private final Csv csv;

  /** For each column up to the last wanted one: its field, or -1, and its element in that field. */
  private final int[] fields;

  private final int[] elements;
  private final List<String> names;
  private final boolean float32;

  private CsvLayout(Csv csv, int[] fields, int[] elements, List<String> names) {
    this.csv = csv;
    this.fields = fields;
    this.elements = elements;
    this.names = names;
    this.float32 =
        csv.columns().stream().allMatch(CsvLayout::isOfFloats) && isInOrder(csv.columns());
  }

  /** Whether the columns form a float32 field with at least one element. */
  private static boolean isOfFloats(Columns group) {
    return group.field().dtype() == DType.FLOAT32 && group.count() > 0;
  }

  /** Whether the columns are exactly the elements of all fields, in order. */
  private boolean isInOrder(List<Columns> groups) {
    int column = 0;
    for (int field = 0; field < groups.size(); field++) {
      for (int i = 0; i < groups.get(field).count(); i++) {
        if (fields[column] != field || elements[column++] != i) {
          return false;
        }
      }
    }
    return column == fields.length;
  }

  /** For files without a header. */
  static CsvLayout of(Csv csv) {
    Object layout = make(csv, "", List.of());
    if (layout instanceof CsvLayout known) {
      return known;
    }
    throw ((Fault) layout).toException();
  }

  /** For a file with this header; returns a fault if it lacks a column. */
  static Object of(Csv csv, String file, String header) {
    Object fields = CsvRow.split(header, csv.delimiter());
    if (fields instanceof String wrong) {
      return new Place(file, "row", 1, 0, 0, header).fault(wrong, "names of columns", header);
    }
    @SuppressWarnings("unchecked") // split() returns either a message or this
    List<String> names = ((List<String>) fields).stream().map(String::strip).toList();
    return make(csv, file, names);
  }

  private static Object make(Csv csv, String file, List<String> names) {
    List<int[]> wanted = new ArrayList<>();
    int next = 0;
    int last = 0;
    for (Columns group : csv.columns()) {
      int[] columns = new int[group.count()];
      int first = group.first() == Columns.NEXT ? next : group.first();
      for (int i = 0; i < columns.length; i++) {
        if (group.names().isEmpty()) {
          columns[i] = first + i;
        } else {
          columns[i] = names.indexOf(group.names().get(i));
          Fault fault = misnamed(file, names, group.names().get(i));
          if (fault != null) {
            return fault;
          }
        }
        last = Math.max(last, columns[i] + 1);
        next = columns[i] + 1;
      }
      wanted.add(columns);
    }
    return filled(csv, file, wanted, Math.max(last, names.size()), names);
  }

  private static @Nullable Fault misnamed(String file, List<String> names, String name) {
    int times = Collections.frequency(names, name);
    if (times == 1) {
      return null;
    }
    String text =
        times == 0
            ? "the header of %s has no column `%s`; it has %s"
            : "the header of %s has the column `%s` more than once: %s";
    return new Place(file, "row", 1, 0, 0, String.join(",", names))
        .fault(
            Message.of(text, file, name, Place.shown(String.join(", ", names))),
            "one column `" + name + "`",
            times + " of them");
  }

  /** The layout; or a fault if a column is in two fields, or in none though all should be. */
  private static Object filled(
      Csv csv, String file, List<int[]> wanted, int width, List<String> names) {
    int[] fields = new int[width];
    int[] elements = new int[width];
    Arrays.fill(fields, IGNORED);
    for (int field = 0; field < wanted.size(); field++) {
      int[] columns = wanted.get(field);
      for (int i = 0; i < columns.length; i++) {
        if (fields[columns[i]] != IGNORED) {
          return misplaced(csv, file, names, columns[i], "is in two fields");
        }
        fields[columns[i]] = field;
        elements[columns[i]] = i;
      }
    }
    for (int i = 0; i < width && !csv.isIgnoring(); i++) {
      if (fields[i] == IGNORED) {
        String what = "belongs to no field; add it to one, or skip such columns by ignoringOthers";
        return misplaced(csv, file, names, i, what);
      }
    }
    return new CsvLayout(csv, fields, elements, names);
  }

  private static Fault misplaced(
      Csv csv, String file, List<String> names, int column, String what) {
    if (names.isEmpty()) {
      return Fault.value(Message.of("column %d of %s %s", column + 1, csv.name(), what));
    }
    String text = "column %d of %s, `%s`, %s";
    String name = Place.shown(names.get(column));
    return new Place(file, "row", 1, 0, 0, String.join(",", names))
        .fault(Message.of(text, column + 1, file, name, what), "each column in one field", name);
  }

  /** The number of columns that a row must have. */
  int width() {
    return fields.length;
  }

  boolean isIgnored(int column) {
    return column >= fields.length || fields[column] == IGNORED;
  }

  int field(int column) {
    return fields[column];
  }

  int element(int column) {
    return elements[column];
  }

  /** Whether a row may have more columns than needed. */
  boolean mayBeWider() {
    return csv.isIgnoring() && names.isEmpty();
  }

  /**
   * Whether a row consists only of float32 elements, in order, with at least one for each field.
   */
  boolean isFloat32() {
    return float32;
  }

  /** Describes what is wrong with a row of {@code found} columns; empty if nothing is. */
  String misfit(int found) {
    if (found == width() || (found > width() && mayBeWider())) {
      return "";
    }
    if (csv.columns().size() == 1 && names.isEmpty()) {
      Columns only = csv.columns().getFirst();
      return Message.of(
          "the shape %s needs %s, but the row has %d", only.field().shape(), values(), found);
    }
    String who = names.isEmpty() ? "the fields need " : "the header has ";
    return Message.of("%s%s, but the row has %d", who, values(), found);
  }

  /** The number of values that a row must have, in words. */
  String values() {
    return Message.count(width(), "value");
  }

  /** How messages refer to a column: by its name in the header, if it has one. */
  String called(int column) {
    return column < names.size() ? " of column `" + Place.shown(names.get(column)) + "`" : "";
  }
}
