package dev.staunch.kernel.view;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Shape;

/**
 * A tensor with its indices exchanged, each dimension on its own: for each of {@code dimensions},
 * where its indices lie in the storage.
 */
public record Rearranged(Dimension... dimensions) {

  /** Where index {@code i} of a dimension lies, from the first element of the tensor. */
  @FunctionalInterface
  public interface Place {
    long of(long i);
  }

  /** One dimension of the result. */
  public record Dimension(long size, Place place) {}

  /** Each dimension as it is. */
  public static Dimension[] plain(DenseTensor self) {
    Dimension[] dimensions = new Dimension[self.rank()];
    for (int d = 0; d < dimensions.length; d++) {
      dimensions[d] = picked(self, d, self.shape().size(d), i -> i);
    }
    return dimensions;
  }

  /** {@code size} indices of a dimension, picked by {@code index}. */
  public static Dimension picked(DenseTensor self, int dim, long size, Place index) {
    long stride = self.layout().stride(dim);
    return new Dimension(size, i -> index.of(i) * stride);
  }

  /** With the slices of one dimension that {@code indices} names, in their order. */
  public static Rearranged along(DenseTensor self, int dim, DenseTensor indices) {
    Places places = Places.of(indices.layout());
    Dimension[] dimensions = plain(self);
    dimensions[dim] =
        picked(
            self,
            dim,
            indices.elements(),
            i -> Elements.asLong(indices.segment(), indices.dtype(), places.at(i)));
    return new Rearranged(dimensions);
  }

  /** A new row-major tensor in this order; or a fault. */
  public Object copied(Call call, DenseTensor self) {
    long[] sizes = new long[dimensions.length];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = dimensions[d].size();
    }
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape known ? call.allocate(self.dtype(), known) : shape;
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    Lookout lookout = new Lookout(call);
    copy(lookout, self, target);
    return Lookout.finished(target, lookout.fault());
  }

  private void copy(Lookout lookout, DenseTensor self, DenseTensor target) {
    int whole = wholeFrom(lookout);
    int bytes = self.dtype().bytes();
    long block = 1;
    for (int d = whole; d < dimensions.length; d++) {
      block *= dimensions[d].size();
    }
    long[] index = new long[whole];
    long[] at = new long[whole + 1];
    at[0] = self.layout().offset();
    place(index, at, 0);
    for (long to = 0; to < target.elements() && lookout.goesOn(2); to += block) {
      long from = at[whole];
      if (block == 1) {
        Copying.element(self.segment(), from, target.segment(), to, bytes);
      } else {
        long length = block * bytes;
        lookout.copy(self.segment(), from * bytes, target.segment(), to * bytes, length);
      }
      advance(index, at);
    }
  }

  /** The first of the last dimensions that lie in the storage as they will in the copy. */
  private int wholeFrom(Lookout lookout) {
    long step = 1;
    int dim = dimensions.length;
    while (dim > 0 && isEven(lookout, dimensions[dim - 1], step)) {
      step *= dimensions[dim - 1].size();
      dim--;
    }
    return dim;
  }

  private static boolean isEven(Lookout lookout, Dimension dimension, long step) {
    for (long i = 0; i < dimension.size(); i++) {
      if (!lookout.goesOn(1) || dimension.place().of(i) != i * step) {
        return false;
      }
    }
    return true;
  }

  /** Sums up the places of the indices, from dimension {@code first} on. */
  private void place(long[] index, long[] at, int first) {
    for (int d = first; d < index.length; d++) {
      at[d + 1] = at[d] + dimensions[d].place().of(index[d]);
    }
  }

  private void advance(long[] index, long[] at) {
    for (int d = index.length - 1; d >= 0; d--) {
      if (++index[d] < dimensions[d].size()) {
        place(index, at, d);
        return;
      }
      index[d] = 0;
    }
  }
}
