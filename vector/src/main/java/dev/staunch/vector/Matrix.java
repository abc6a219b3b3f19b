package dev.staunch.vector;

import java.lang.foreign.MemorySegment;

/** A matrix in a segment; offset and strides count elements. */
record Matrix(MemorySegment segment, long offset, long rowStride, long columnStride) {

  long at(long row, long column) {
    return offset + row * rowStride + column * columnStride;
  }

  /** The matrix with rows and columns exchanged. */
  Matrix transposed() {
    return new Matrix(segment, offset, columnStride, rowStride);
  }
}
