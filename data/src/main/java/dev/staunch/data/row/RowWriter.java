package dev.staunch.data.row;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one example at a time: each dense field needs all its elements, in order; elements of
 * sparse fields are given with their index. Not thread-safe.
 */
public final class RowWriter {
  private final Rows rows;
  private final int[] filled;
  private @Nullable Fault fault;

  /** Appends one example after another to {@code rows}. */
  public RowWriter(Rows rows) {
    this.rows = rows;
    this.filled = new int[rows.columns().size()];
  }

  /**
   * Appends elements to field number {@code field}. A number that the field cannot hold, such as a
   * fraction where it has integers, makes the example unreadable. Of bools, all but 0 is true.
   */
  public void put(int field, double... values) {
    for (double value : values) {
      DenseColumn column = dense(field);
      if (hasRoom(field, column) && fits(column.field(), value)) {
        column.putDouble(rows.count(), filled[field]++, value);
      }
    }
  }

  /** Appends elements to field number {@code field}; exact for integers of any size. */
  public void put(int field, long... values) {
    for (long value : values) {
      DenseColumn column = dense(field);
      if (hasRoom(field, column) && fits(column.field(), value)) {
        column.putLong(rows.count(), filled[field]++, value);
      }
    }
  }

  /** Adds an element at {@code index} to the sparse field number {@code field}. */
  public void putAt(int field, long index, double value) {
    if (!(rows.columns().get(field) instanceof SparseColumn column)) {
      throw new IllegalArgumentException(rows.columns().get(field).field() + " is not sparse");
    }
    if (index < 0 || index >= column.field().elements()) {
      fail(Fault.index(Message.of("there is no element %d in %s", index, column.field())));
      return;
    }
    if (fits(column.field(), value)) {
      column.values().putDouble(column.add(index), 0, value);
    }
  }

  /** Marks this example as unreadable; the first fault counts. */
  public void fail(Fault why) {
    if (fault == null) {
      fault = why;
    }
  }

  private DenseColumn dense(int field) {
    if (rows.columns().get(field) instanceof DenseColumn column) {
      return column;
    }
    throw new IllegalArgumentException(
        rows.columns().get(field).field() + " is sparse; name the elements with putAt");
  }

  private boolean hasRoom(int field, DenseColumn column) {
    if (filled[field] < column.field().elements()) {
      return true;
    }
    fail(Fault.shape(Message.of("an example has more elements than %s", column.field())));
    return false;
  }

  private boolean fits(Field field, double value) {
    return field.dtype() == DType.BOOL || field.holds(value) || refused(field, value);
  }

  private boolean fits(Field field, long value) {
    return field.dtype() == DType.BOOL || field.holds(value) || refused(field, value);
  }

  private boolean refused(Field field, Number value) {
    fail(Fault.value(Message.of("%s does not fit %s", value, field)));
    return false;
  }

  /** Begins an example. */
  public void begin() {
    rows.begin();
    rows.columns().forEach(column -> column.dropRow(rows.count()));
    fault = null;
    Arrays.fill(filled, 0);
  }

  /** Adds the example, or its fault. */
  public void end() {
    for (int i = 0; i < filled.length; i++) {
      Field field = rows.columns().get(i).field();
      if (!field.sparse() && filled[i] < field.elements()) {
        String text = "an example has %d of the %d elements of %s";
        fail(Fault.shape(Message.of(text, filled[i], field.elements(), field)));
      }
    }
    if (fault == null) {
      rows.end();
    } else {
      rows.fail(fault);
    }
  }
}
