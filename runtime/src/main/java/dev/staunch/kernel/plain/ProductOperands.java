package dev.staunch.kernel.plain;

import org.jspecify.annotations.Nullable;

/**
 * The matrices of one product, and how far the loops over them go at a time; no addend means zeros.
 */
record ProductOperands(Factor a, Factor b, @Nullable MatrixView addend, MatrixView c) {
  /** Rows of a panel of b. */
  static final int DEPTH = 128;

  /** Columns of a panel of b. */
  static final int WIDTH = 1024;

  /** The columns of a part are a multiple of this, a line of a cache. */
  private static final int LINE = 16;

  private static final int FEW_ROWS = 4;

  /** A loop over this many columns does not pay for its prologue and epilogue. */
  private static final int SHORT = 64;

  /** How many times longer a transposed row must be to pay for the additional copies. */
  private static final int LONGER = 4;

  /** The same product, transposed if that turns a single column into one long row. */
  ProductOperands wide() {
    boolean narrow = c.columns() == 1 && c.rows() > 1 && c.rowStride() == 1;
    return narrow ? transposed() : this;
  }

  /**
   * The same product with the same bits, transposed if its rows are short and its columns are not.
   */
  ProductOperands broad(Number alpha) {
    boolean isShort = c.columns() <= SHORT && c.rows() >= LONGER * c.columns();
    return isShort && alpha.doubleValue() == 1 ? transposed() : this;
  }

  private ProductOperands transposed() {
    return new ProductOperands(
        b.transposed(),
        a.transposed(),
        addend == null ? null : addend.transposed(),
        c.transposed());
  }

  /** For a few rows times a transposed matrix: packing would cost more than the product. */
  boolean byDots() {
    return b.hasColumnsTogether() && a.rows() <= FEW_ROWS;
  }

  ProductOperands part(int row, int rows, int column, int columns) {
    return new ProductOperands(
        a.part(row, rows, 0, a.columns()),
        b.part(0, b.rows(), column, columns),
        addend == null ? null : addend.part(row, rows, column, columns),
        c.part(row, rows, column, columns));
  }

  /**
   * How many columns each part gets, at most {@code most}, if all are about as wide: a narrow rest
   * takes a loop almost as long as a wide part does.
   */
  static int even(int columns, int most) {
    int width = Math.ceilDiv(columns, Math.ceilDiv(columns, most));
    return Math.min(most, (width + LINE - 1) / LINE * LINE);
  }
}
