package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Where gather reads and scatter writes: for each element of the index, a place in the tensor that
 * is indexed, and one in the tensor of values.
 */
record Spots(Integers targets, Integers sources) {

  /** The spots of {@code index} along a dimension of {@code self}; or a fault. */
  static Object of(
      Lookout lookout,
      String name,
      DenseTensor self,
      long asked,
      DenseTensor index,
      @Nullable DenseTensor source) {
    Object dim = Dimensions.wrap(asked, self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Fault fault = misfit(name, self, at, index, source);
    if (fault != null) {
      return fault;
    }
    long size = self.rank() == 0 ? 1 : self.shape().size(at);
    fault = Integers.of(lookout, index).outside(at, 0, size);
    if (fault != null) {
      return fault;
    }
    DenseTensor values = source == null ? index : source;
    return new Spots(
        targets(lookout, self, at, index),
        Integers.positions(lookout, spread(values.layout(), index.shape())));
  }

  private static Integers targets(Lookout lookout, DenseTensor self, int dim, DenseTensor index) {
    Layout layout = spread(self.layout(), index.shape());
    long[] strides = layout.strides();
    long step = self.rank() == 0 ? 1 : self.layout().stride(dim);
    if (dim < strides.length) {
      strides[dim] = 0;
    }
    Places starts = Places.of(new Layout(index.shape(), strides, layout.offset()));
    Places indices = Places.of(index.layout());
    Operand elements = Operand.of(index);
    long[] offsets = new long[(int) Math.min(Integers.TILE, index.elements())];
    return new Integers(
        lookout,
        index.elements(),
        (first, count, into) -> {
          starts.load(first, count, into);
          elements.load(offsets, indices, first, count);
          for (int i = 0; i < count; i++) {
            into[i] += offsets[i] * step;
          }
        });
  }

  /** A layout's strides for the shape of an index. */
  private static Layout spread(Layout layout, Shape shape) {
    boolean ranks = layout.shape().rank() == shape.rank();
    return new Layout(shape, ranks ? layout.strides() : new long[shape.rank()], layout.offset());
  }

  /** The fault of elements that are to be put into a tensor of another dtype. */
  static Fault otherDType(DenseTensor target, DenseTensor source) {
    String text = "`src` must have the dtype of the tensor, %s, but it is %s";
    return Fault.dtype(Message.of(text, target.dtype(), source.dtype()))
        .withExpected("the same dtype " + target.dtype(), source.dtype().toString());
  }

  private static @Nullable Fault misfit(
      String name, DenseTensor self, int dim, DenseTensor index, @Nullable DenseTensor source) {
    if (index.dtype() != DType.INT64) {
      return Fault.dtype("`index` of " + name + " must be int64, but it is " + index.dtype())
          .withExpected("index of int64", index.dtype().toString());
    }
    if (index.elements() == 0) {
      return null;
    }
    if (Math.max(self.rank(), 1) != Math.max(index.rank(), 1)) {
      String text = "`index` %s must have as many dimensions as the tensor %s";
      return Fault.shape(Message.of(text, index.shape(), self.shape()))
          .withExpected(self.rank() + " dimensions", index.rank() + " dimensions");
    }
    for (int d = 0; d < Math.min(self.rank(), index.rank()); d++) {
      boolean fits = d == dim || index.shape().size(d) <= self.shape().size(d);
      boolean covered =
          source == null || source.rank() <= d || index.shape().size(d) <= source.shape().size(d);
      if (!fits || !covered) {
        String text = "`index` %s must not exceed the tensor %s but in dimension %d";
        String more = source == null ? "" : ", nor `src` " + source.shape();
        return Fault.shape(Message.of(text, index.shape(), self.shape(), dim) + more);
      }
    }
    if (source == null || Math.max(source.rank(), 1) == Math.max(index.rank(), 1)) {
      return null;
    }
    String text = "`index` %s must have as many dimensions as `src` %s";
    return Fault.shape(Message.of(text, index.shape(), source.shape()));
  }
}
