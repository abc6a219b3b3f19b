package dev.staunch.kernel.plain;

/** A matrix that a product reads in blocks; {@code FloatBlock} and its like copy them. */
sealed interface Factor permits MatrixView, Patches, TurnedPatches {
  int rows();

  int columns();

  /** Some rows and columns of this. */
  Factor part(int row, int rowCount, int column, int columnCount);

  /** Rows and columns exchanged. */
  Factor transposed();

  /** Whether the elements of a column lie together in memory, and those of a row do not. */
  boolean hasColumnsTogether();
}
