package dev.staunch.peers;

import dev.staunch.eager.Context;
import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * A tensor to be made on both sides.
 *
 * @param elements those of its storage, as numbers; complex ones get the negative as their other
 *     part
 */
record TwinSpec(DType dtype, Layout layout, double[] elements) {

  /** How many elements the storage of {@code layout} has at least. */
  static int extent(Layout layout) {
    return (int) layout.extent();
  }

  Twin make(Context context) {
    return new Twin(ours(context), Libtorch.tensor(this));
  }

  private dev.staunch.eager.Tensor ours(Context context) {
    return context.make(scope -> {
      Object made = DenseTensor.allocate(scope, dtype, Shape.of(Math.max(1, elements.length)));
      if (made instanceof Fault) {
        return made;
      }
      DenseTensor flat = (DenseTensor) made;
      fill(flat.segment());
      Object view = flat.view(scope, layout);
      flat.close();
      return view;
    });
  }

  void fill(java.lang.foreign.MemorySegment segment) {
    DType part =
        dtype == DType.COMPLEX64
            ? DType.FLOAT32
            : dtype == DType.COMPLEX128 ? DType.FLOAT64 : dtype;
    segment.fill((byte) 0); // there is an element if none is given
    for (int i = 0; i < elements.length; i++) {
      double value = elements[i];
      if (part != dtype) {
        Elements.putDouble(segment, part, 2L * i, value);
        Elements.putDouble(segment, part, 2L * i + 1, i % 3 == 0 ? 0 : -value);
      } else if (dtype == DType.BOOL) {
        Elements.putLong(segment, dtype, i, value > 0 ? 1 : 0);
      } else if (dtype.isFloating()) {
        Elements.putDouble(segment, dtype, i, value);
      } else {
        Elements.putLong(segment, dtype, i, (long) value);
      }
    }
  }

  /** The shape, and the strides and the offset unless they are those of a new tensor. */
  static String describe(Layout layout) {
    String shape = layout.shape().toString();
    return layout.isContiguous() && layout.offset() == 0
        ? shape
        : shape
            + " strides "
            + Arrays.toString(layout.strides())
            + (layout.offset() == 0 ? "" : "+" + layout.offset());
  }

  @Override
  public String toString() {
    String all = Arrays.toString(elements);
    return dtype
        + describe(layout)
        + " "
        + (all.length() < 300 ? all : all.substring(0, 300) + "...");
  }
}
