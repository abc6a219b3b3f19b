package dev.staunch.data.text;

import dev.staunch.data.decode.DecodedRows;
import dev.staunch.data.decode.Inputs;
import dev.staunch.data.decode.LineParts;
import dev.staunch.data.decode.TextRules;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Rows of numbers separated by commas (RFC 4180), one example per row. Quotes, a byte-order mark,
 * all kinds of line ends and gzip are supported; blank lines are skipped. Numbers are read
 * strictly, see {@link Numbers}; each row that does not fit is a fault that names file, row, column
 * and text.
 *
 * <p>Fields are made from columns: {@code Csv.of(file).with("data", FLOAT32, 4, 10).with("label",
 * INT64)} takes forty columns and then one. Every column must belong to a field unless {@link
 * #ignoringOthers} excludes the rest. Immutable and thread-safe.
 */
public final class Csv implements Examples {
  private final Inputs inputs;
  private final List<Columns> columns;
  private final boolean header;
  private final boolean ignoring;
  private final char delimiter;
  private final OptionalDouble empty;

  private Csv(
      Inputs inputs,
      List<Columns> columns,
      boolean header,
      boolean ignoring,
      char delimiter,
      OptionalDouble empty) {
    this.inputs = inputs;
    this.columns = columns;
    this.header = header;
    this.ignoring = ignoring;
    this.delimiter = delimiter;
    this.empty = empty;
  }

  /** Files one after the other, without headers; fields still have to be added. */
  public static Csv of(Path... files) {
    return of(Inputs.of(files));
  }

  public static Csv of(Inputs inputs) {
    return new Csv(inputs, List.of(), false, false, ',', OptionalDouble.empty());
  }

  /**
   * All columns of the files as {@code data}, float32. The first row of the first file determines
   * their number. That row is a header if none of its fields is a number.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if there is no first row
   */
  public static Csv inferred(Inputs inputs, char between) throws IOException {
    Object first = CsvRow.split(CsvRow.firstOf(inputs.files().getFirst()), between);
    int width = first instanceof List<?> fields ? fields.size() : 1;
    boolean named =
        first instanceof List<?> fields
            && fields.stream().noneMatch(field -> Numbers.isNumber(String.valueOf(field)));
    Csv plain = of(inputs).withDelimiter(between).with("data", DType.FLOAT32, width);
    return named ? plain.withHeader() : plain;
  }

  /**
   * Adds a field of this shape from the next columns. Without a header, these are the columns after
   * those of the field added before.
   */
  public Csv with(String name, DType dtype, long... shape) {
    return added(Columns.placed(name, dtype, Shape.of(shape), Columns.NEXT));
  }

  /** Adds a field of this shape from the columns that start at {@code first}, counted from 0. */
  public Csv withFrom(int first, String name, DType dtype, long... shape) {
    if (first < 0) {
      throw new IllegalArgumentException("there is no column " + first);
    }
    return added(Columns.placed(name, dtype, Shape.of(shape), first));
  }

  /** Adds a field of one dimension from named columns; the files must then have headers. */
  public Csv withNamed(String name, DType dtype, String... names) {
    Shape shape = names.length == 1 ? Shape.SCALAR : Shape.of(names.length);
    Csv added = added(Columns.named(name, dtype, shape, List.of(names)));
    return added.withHeader();
  }

  private Csv added(Columns group) {
    List<Columns> more = new ArrayList<>(columns);
    for (Columns known : more) {
      if (known.field().name().equals(group.field().name())) {
        throw new IllegalArgumentException(
            Message.of("there are two fields `%s`", group.field().name()));
      }
    }
    more.add(group);
    return new Csv(inputs, List.copyOf(more), header, ignoring, delimiter, empty);
  }

  /** Takes the names of the columns from the first row of each file. */
  public Csv withHeader() {
    return new Csv(inputs, columns, true, ignoring, delimiter, empty);
  }

  /** Skips columns that belong to no field; otherwise they are a fault. */
  public Csv ignoringOthers() {
    return new Csv(inputs, columns, header, true, delimiter, empty);
  }

  /** Sets the separator between fields, an ASCII character; the default is a comma. */
  public Csv withDelimiter(char between) {
    if (between >= 0x80 || between == '"' || between == '\n' || between == '\r') {
      throw new IllegalArgumentException(
          Message.of("`%s` cannot stand between fields; take an ASCII character", between));
    }
    return new Csv(inputs, columns, header, ignoring, between, empty);
  }

  /**
   * Reads an empty field as this number rather than as a fault; it is still one where the number
   * does not fit the dtype.
   */
  public Csv withEmpty(double value) {
    return new Csv(inputs, columns, header, ignoring, delimiter, OptionalDouble.of(value));
  }

  @Override
  public String name() {
    return inputs.name();
  }

  List<Columns> columns() {
    return columns;
  }

  boolean hasHeader() {
    return header;
  }

  boolean isIgnoring() {
    return ignoring;
  }

  char delimiter() {
    return delimiter;
  }

  OptionalDouble empty() {
    return empty;
  }

  @Override
  public RowStream open(ReadOptions how) throws IOException {
    return open(how, true);
  }

  /**
   * @param scanning false to read all rows as strings; for tests that compare both paths
   */
  RowStream open(ReadOptions how, boolean scanning) throws IOException {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          name() + " needs a field: say which columns are data, as with(\"data\", FLOAT32, 4)");
    }
    TextRules rules = new TextRules((byte) '"', (byte) delimiter);
    LineParts.Header first = header ? (file, row) -> CsvLayout.of(this, file, row) : null;
    LineParts parts = new LineParts(inputs, how.shard(), rules, first);
    parts.restart(0);
    List<Field> fields = columns.stream().map(Columns::field).toList();
    return new DecodedRows(name(), fields, parts, new CsvDecoder(this, rules, scanning), how);
  }
}
