package dev.staunch.kernel.plain;

/**
 * A matrix that a product reads in blocks; {@code FloatBlock} and the related classes copy the
 * blocks.
 */
sealed interface Factor permits MatrixView, Patches, TurnedPatches {
  int rows();

  int columns();

  /** A block of its rows and columns. */
  Factor part(int row, int rowCount, int column, int columnCount);

  /** The transposed matrix. */
  Factor transposed();

  /** Whether the elements of a column are contiguous in memory and those of a row are not. */
  boolean hasColumnsTogether();
}
