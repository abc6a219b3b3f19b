package dev.staunch.data.row;

import dev.staunch.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of examples in order, field by field, with faults in the places of those that could not be
 * read. Filled by a stream, which reuses it; not thread-safe.
 */
public final class Rows {
  /**
   * What is wrong with the example at a place.
   *
   * @param told makes the fault, once the number of preceding lines of the file is known
   */
  public record Flaw(int place, Telling told) {}

  /** Makes a fault, given the number of lines before the part in which it was found. */
  @FunctionalInterface
  public interface Telling {
    Fault fault(long linesBefore);
  }

  private final List<Column> columns = new ArrayList<>();
  private final List<Flaw> flaws = new ArrayList<>();
  private int count;
  private long lines;
  private long linesBefore;

  public Rows(List<Field> fields) {
    for (Field field : fields) {
      columns.add(Column.of(field));
    }
  }

  public List<Column> columns() {
    return columns;
  }

  /** The number of places, including those of faults. */
  public int count() {
    return count;
  }

  /** Removes all rows; keeps the memory. */
  public void clear() {
    count = 0;
    lines = 0;
    linesBefore = 0;
    flaws.clear();
    columns.forEach(column -> column.dropRow(0));
  }

  /** Makes room for one more row, to be finished by {@link #end} or {@link #fail}. */
  public int begin() {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).reserve(count + 1);
    }
    return count;
  }

  /** Finishes the row that was begun. */
  public void end() {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).endRow(count);
    }
    count++;
  }

  /** Finishes the row that was begun, or adds a new one, as a fault. */
  public void fail(Telling told) {
    begin();
    columns.forEach(column -> column.dropRow(count));
    flaws.add(new Flaw(count, told));
    end();
  }

  public void fail(Fault fault) {
    fail(lines -> fault);
  }

  /** Adds rows of {@code from}, which has the same fields; faults stay faults. */
  public void add(Rows from, int first, int number) {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).copy(from.columns.get(i), first, number, count);
    }
    for (int at = from.nextFlaw(first); at < first + number; at = from.nextFlaw(at + 1)) {
      Fault fault = from.fault(at);
      flaws.add(new Flaw(count + at - first, lines -> fault));
    }
    count += number;
  }

  /** Adds rows that have the fields of {@code left}, followed by those of {@code right}. */
  void addBeside(Rows left, int leftFirst, Rows right, int rightFirst, int number) {
    int width = left.columns.size();
    for (int i = 0; i < columns.size(); i++) {
      Column from = i < width ? left.columns.get(i) : right.columns.get(i - width);
      columns.get(i).copy(from, i < width ? leftFirst : rightFirst, number, count);
    }
    for (int i = 0; i < number; i++) {
      Fault fault = left.faultAt(leftFirst + i);
      Fault told = fault != null ? fault : right.faultAt(rightFirst + i);
      if (told != null) {
        flaws.add(new Flaw(count + i, lines -> told));
      }
    }
    count += number;
  }

  /** The number of lines of text that these rows were read from, for line numbers. */
  public long lines() {
    return lines;
  }

  public void setLines(long number) {
    lines = number;
  }

  /** Sets how many lines came before; faults then name their lines. */
  public void setLinesBefore(long number) {
    linesBefore = number;
  }

  /**
   * The first place at or after {@code place} that holds a fault; {@link #count} if there is none.
   */
  public int nextFlaw(int place) {
    int at = search(place);
    return at < flaws.size() ? flaws.get(at).place() : count;
  }

  /** The fault at a place, or null. */
  public @Nullable Fault faultAt(int place) {
    int at = search(place);
    return at < flaws.size() && flaws.get(at).place() == place
        ? flaws.get(at).told().fault(linesBefore)
        : null;
  }

  /** How many faults lie before a place; they are in order. */
  private int search(int place) {
    int low = 0;
    int high = flaws.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (flaws.get(middle).place() < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Fault fault(int place) {
    Fault fault = faultAt(place);
    return fault != null ? fault : Fault.internal("there is no fault in place " + place);
  }

  /** How many bytes of heap the values take. */
  public long bytes() {
    long sum = 0;
    for (Column column : columns) {
      sum += column.bytes(count);
    }
    return sum;
  }
}
