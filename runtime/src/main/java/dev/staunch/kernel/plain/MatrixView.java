package dev.staunch.kernel.plain;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/** A matrix within the {@code elements} of a storage; offset and strides count elements. */
record MatrixView(
    Operand elements, long offset, int rows, int columns, long rowStride, long columnStride)
    implements Factor {

  /** The most rows or columns; products add the steps of their loops to either. */
  static final int MOST = Integer.MAX_VALUE - (1 << 16);

  /** The matrix of the last two dimensions of {@code layout}, moved by {@code shift} elements. */
  static MatrixView of(DenseTensor tensor, Layout layout, long shift) {
    int rank = layout.shape().rank();
    return new MatrixView(
        Operand.of(tensor),
        tensor.layout().offset() + layout.offset() + shift,
        Shape.asInt(layout.shape().size(rank - 2), MOST),
        Shape.asInt(layout.shape().size(rank - 1), MOST),
        layout.stride(rank - 2),
        layout.stride(rank - 1));
  }

  /** A block of its rows and columns, in the same storage. */
  @Override
  public MatrixView part(int row, int rowCount, int column, int columnCount) {
    return new MatrixView(
        elements, at(row, column), rowCount, columnCount, rowStride, columnStride);
  }

  /** The transposed matrix, in the same storage. */
  @Override
  public MatrixView transposed() {
    return new MatrixView(elements, offset, columns, rows, columnStride, rowStride);
  }

  @Override
  public boolean hasColumnsTogether() {
    return rowStride == 1 && columnStride != 1;
  }

  /** Reads some elements of a row, starting at {@code column}, as {@link Operand} does. */
  void load(float[] into, int row, int column, int count) {
    elements.load(into, at(row, column), columnStride, count);
  }

  /** Writes some elements of a row, starting at {@code column}, as {@link Operand} does. */
  void store(float[] from, int row, int column, int count) {
    elements.store(from, at(row, column), columnStride, count);
  }

  /** The position of an element in the storage. */
  long at(long row, long column) {
    return offset + row * rowStride + column * columnStride;
  }
}
