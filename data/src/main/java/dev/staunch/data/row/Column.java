package dev.staunch.data.row;

/** The values of one field in {@link Rows}. Not thread-safe. */
public sealed interface Column permits DenseColumn, SparseColumn {
  static Column of(Field field) {
    return field.sparse() ? new SparseColumn(field) : new DenseColumn(field);
  }

  Field field();

  /** Makes room for {@code rows} rows in all; what is there stays. */
  void reserve(int rows);

  /**
   * Puts {@code count} rows of {@code from}, a column of the same field, behind the first {@code
   * at} rows of this.
   */
  void copy(Column from, int first, int count, int at);

  /** Ends row {@code at} as it stands; a sparse row that got nothing is empty. */
  void endRow(int at);

  /** Empties row {@code at}, which is the last: what was written of it counts no more. */
  void dropRow(int at);

  /** How many bytes {@code rows} rows hold. */
  long bytes(int rows);
}
