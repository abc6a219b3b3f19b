package dev.staunch.data.row;

import java.util.Arrays;

/**
 * Rows of which only the given elements are stored. Row {@code r} has the elements from {@code
 * end(r - 1)} to {@code end(r)}, each with an index and a value. The values have the field's dtype
 * and are in a separate dense column.
 */
public final class SparseColumn implements Column {
  private static final int FIRST = 16;

  private final Field field;
  private final DenseColumn values;
  private int[] ends = {};
  private long[] indices = {};
  private int size;

  SparseColumn(Field field) {
    this.field = field;
    this.values = new DenseColumn(Field.of(field.name(), field.dtype()));
  }

  @Override
  public Field field() {
    return field;
  }

  /** Where row {@code row} ends among the elements; 0 for the row before the first. */
  public int end(int row) {
    return row < 0 ? 0 : ends[row];
  }

  /** The column index of each element. */
  public long[] indices() {
    return indices;
  }

  /** The elements, one per row. */
  public DenseColumn values() {
    return values;
  }

  /** Adds an element to the current row; returns the place at which to store its value. */
  public int add(long index) {
    if (size == indices.length) {
      indices = Arrays.copyOf(indices, Math.max(FIRST, 2 * size));
      values.reserve(indices.length);
    }
    indices[size] = index;
    return size++;
  }

  @Override
  public void reserve(int rows) {
    if (rows > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(rows, 2 * ends.length));
    }
  }

  @Override
  public void endRow(int at) {
    reserve(at + 1);
    ends[at] = size;
  }

  @Override
  public void dropRow(int at) {
    size = end(at - 1);
  }

  @Override
  public void copy(Column from, int first, int count, int at) {
    SparseColumn other = (SparseColumn) from;
    size = end(at - 1);
    for (int row = first; row < first + count; row++) {
      for (int k = other.end(row - 1); k < other.end(row); k++) {
        int place = add(other.indices[k]);
        values.copy(other.values, k, 1, place);
      }
      endRow(at + row - first);
    }
  }

  @Override
  public long bytes(int rows) {
    return (long) end(rows - 1) * (Long.BYTES + field.dtype().bytes()) + (long) rows * Long.BYTES;
  }
}
