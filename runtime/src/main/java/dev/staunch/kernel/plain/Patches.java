package dev.staunch.kernel.plain;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Window;

/**
 * What a convolution multiplies its weight with: a row for each element of the kernel in each
 * channel, a column for each pixel of the result. Nothing is stored; elements are read from the
 * image when a block is copied, zeros from its padding.
 *
 * @param image where the image begins in its storage is {@code offset}; row-major
 * @param across pixels of the result in a row of it
 * @param top the row of the result in which pixels are counted from
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

  /** Elements of the kernel in a channel. */
  int taps() {
    return vertical.kernel() * horizontal.kernel();
  }

  /** The place in the storage of an element of a channel's plane. */
  long at(int channel, int line, int column) {
    return offset + ((long) channel * height + line) * width + column;
  }

  /** The row of the result in which a column's pixel lies. */
  int line(int column) {
    return top + (firstColumn + column) / across;
  }

  /** The first line of the image that pixels from {@code column} on may depend on. */
  int firstLine(int column) {
    return Math.clamp(vertical.at(line(column), 0), 0, height);
  }

  /** Behind the last line of the image that pixels up to {@code end} may depend on. */
  int endLine(int end) {
    return Math.clamp(vertical.at(line(end - 1), vertical.kernel() - 1) + 1L, 0, height);
  }
}
