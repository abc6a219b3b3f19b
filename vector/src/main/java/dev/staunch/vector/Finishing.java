package dev.staunch.vector;

import dev.staunch.kernel.primitive.Epilogue;

/**
 * Applies the epilogue to blocks of a result as soon as they are computed.
 *
 * @param first the position of the result's first element
 */
record Finishing(Epilogue epilogue, long first) {

  /**
   * Finishes pixels of a row of an image, from column {@code from} (inclusive) to {@code end}
   * (exclusive).
   */
  void finish(PixelImages images, int image, int row, int from, int end) {
    long at = images.at(image, row) + (long) from * images.channels();
    epilogue.finish(at - first, (long) (end - from) * images.channels());
  }

  /** Finishes rows of an image, from {@code from} (inclusive) to {@code end} (exclusive). */
  void finish(PixelImages images, int image, int from, int end) {
    long at = images.at(image, from);
    epilogue.finish(at - first, images.at(image, end) - at);
  }

  /** Finishes a part of {@code c}, whose rows are contiguous. */
  void finish(Part part, Matrix c) {
    int columns = part.columns();
    if (columns == c.rowStride()) {
      long from = c.at(part.firstRow(), part.firstColumn()) - first;
      epilogue.finish(from, (long) part.rows() * columns);
      return;
    }
    for (int row = part.firstRow(); row < part.endRow(); row++) {
      epilogue.finish(c.at(row, part.firstColumn()) - first, columns);
    }
  }
}
