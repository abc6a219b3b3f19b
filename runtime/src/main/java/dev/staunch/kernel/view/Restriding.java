package dev.staunch.kernel.view;

import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Finds strides that present a layout's elements, in order, with other sizes. */
final class Restriding {
  private Restriding() {}

  /** The strides, or null if a copy is needed; the sizes must contain as many elements. */
  static long @Nullable [] strides(Layout layout, long[] sizes) {
    Shape shape = layout.shape();
    if (shape.elements() == 0 || layout.isContiguous()) {
      return Shape.of(sizes).contiguousStrides();
    }
    long[] strides = new long[sizes.length];
    int target = sizes.length - 1;
    long run = 1;
    long base = shape.rank() == 0 ? 1 : layout.stride(shape.rank() - 1);
    long placed = 1;
    for (int dim = shape.rank() - 1; dim >= 0; dim--) {
      run *= shape.size(dim);
      boolean ends = dim == 0 || (shape.size(dim - 1) != 1 && layout.stride(dim - 1) != run * base);
      if (ends) {
        while (target >= 0 && (placed < run || sizes[target] == 1)) {
          strides[target] = placed * base;
          placed *= sizes[target];
          target--;
        }
        if (placed != run) {
          return null;
        }
        if (dim > 0) {
          base = layout.stride(dim - 1);
          run = 1;
          placed = 1;
        }
      }
    }
    return target < 0 ? strides : null;
  }
}
