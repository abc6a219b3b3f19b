package dev.staunch.vector;

import dev.staunch.kernel.primitive.Epilogue;

/**
 * Has blocks of a result finished, as soon as they are computed.
 *
 * @param first where the result's first element lies
 */
record Finishing(Epilogue epilogue, long first) {

  /** Pixels of a row of an image, from column {@code from} to before {@code end}. */
  void finish(PixelImages images, int image, int row, int from, int end) {
    long at = images.at(image, row) + (long) from * images.channels();
    epilogue.finish(at - first, (long) (end - from) * images.channels());
  }

  /** Rows of an image, from {@code from} to before {@code end}. */
  void finish(PixelImages images, int image, int from, int end) {
    long at = images.at(image, from);
    epilogue.finish(at - first, images.at(image, end) - at);
  }

  /** A part of {@code c}, whose rows lie without gaps inside of them. */
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
