package dev.staunch.kernel.plain;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Window;

/**
 * The matrix that a convolution multiplies its weight by: a row for each element of the kernel in
 * each channel, a column for each pixel of the result. It is not stored. When a block is copied,
 * its elements are read from the image; those in the padding are zeros.
 *
 * @param image the row-major image, which begins at {@code offset} in its storage
 * @param across the number of pixels in a row of the result
 * @param top the row of the result from which pixels are counted
 * @param firstRow the first row, counted from the first element of the first channel's kernel
 * @param firstColumn the first column, counted from the first pixel of the row {@code top}
 */
record Patches(
    Operand image,
    long offset,
    int height,
    int width,
    Window vertical,
    Window horizontal,
    int across,
    int top,
    int firstRow,
    int firstColumn,
    int rows,
    int columns)
    implements Factor {

  @Override
  public Patches part(int row, int rowCount, int column, int columnCount) {
    return new Patches(
        image,
        offset,
        height,
        width,
        vertical,
        horizontal,
        across,
        top,
        firstRow + row,
        firstColumn + column,
        rowCount,
        columnCount);
  }

  @Override
  public Factor transposed() {
    return new TurnedPatches(this);
  }

  @Override
  public boolean hasColumnsTogether() {
    return false;
  }

  /** The number of kernel elements per channel. */
  int taps() {
    return vertical.kernel() * horizontal.kernel();
  }

  /** The position in the storage of an element of a channel's plane. */
  long at(int channel, int line, int column) {
    return offset + ((long) channel * height + line) * width + column;
  }

  /** The row of the result that contains a column's pixel. */
  int line(int column) {
    return top + (firstColumn + column) / across;
  }

  /** The first line of the image that pixels from {@code column} on may depend on. */
  int firstLine(int column) {
    return Math.clamp(vertical.at(line(column), 0), 0, height);
  }

  /** The end of the lines of the image that pixels up to {@code end} may depend on, exclusive. */
  int endLine(int end) {
    return Math.clamp(vertical.at(line(end - 1), vertical.kernel() - 1) + 1L, 0, height);
  }
}
