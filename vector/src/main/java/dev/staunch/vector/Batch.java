package dev.staunch.vector;

import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/** The matrices in the last two dimensions of a layout, one after another. */
final class Batch {
  private final Layout layout;
  private final int dims;

  Batch(Layout layout) {
    this.layout = layout;
    this.dims = layout.shape().rank() - 2;
  }

  /** The number of matrices. */
  long size() {
    long size = 1;
    for (int dim = 0; dim < dims; dim++) {
      size *= layout.shape().size(dim);
    }
    return size;
  }

  /** Whether all matrices are the same one. */
  boolean isOne() {
    for (int dim = 0; dim < dims; dim++) {
      if (layout.shape().size(dim) > 1 && layout.stride(dim) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The matrix at {@code index}, in a tensor whose first element is at {@code start}. */
  Matrix at(long index, MemorySegment segment, long start) {
    Shape shape = layout.shape();
    long offset = start + layout.offset();
    long rest = index;
    for (int dim = dims - 1; dim >= 0 && rest > 0; dim--) {
      offset += rest % shape.size(dim) * layout.stride(dim);
      rest /= shape.size(dim);
    }
    return new Matrix(segment, offset, stride(dims), stride(dims + 1));
  }

  /**
   * The stride of a dimension; 1 if its size is 1, because the layout's stride may then be
   * anything.
   */
  private long stride(int dim) {
    return layout.shape().size(dim) == 1 ? 1 : layout.stride(dim);
  }
}
