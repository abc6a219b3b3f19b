package dev.staunch.data.row;

/** The values of one field in {@link Rows}. Not thread-safe. */
public sealed interface Column permits DenseColumn, SparseColumn {
  static Column of(Field field) {
    return field.sparse() ? new SparseColumn(field) : new DenseColumn(field);
  }

  Field field();

  /** Makes room for {@code rows} rows in all; existing rows are kept. */
  void reserve(int rows);

  /**
   * Copies {@code count} rows of {@code from}, a column of the same field, after the first {@code
   * at} rows of this column.
   */
  void copy(Column from, int first, int count, int at);

  /** Ends row {@code at} as it is; a sparse row without elements is empty. */
  void endRow(int at);

  /** Drops row {@code at}, which is the last; whatever was written to it is ignored. */
  void dropRow(int at);

  /** How many bytes {@code rows} rows hold. */
  long bytes(int rows);
}
