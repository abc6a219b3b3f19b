package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * A tensor with its indices exchanged, each dimension on its own: {@code steps[d][i]} is how far
 * from the offset index {@code i} of dimension {@code d} lies in the storage.
 */
record Rearranged(long[][] steps) {

  /** Each dimension as it is. */
  static long[][] plain(DenseTensor self) {
    long[][] steps = new long[self.rank()][];
    for (int d = 0; d < steps.length; d++) {
      long[] indices = new long[Math.toIntExact(self.shape().size(d))];
      java.util.Arrays.setAll(indices, i -> i);
      steps[d] = scaled(self, d, indices);
    }
    return steps;
  }

  /** How far these indices of a dimension lie from its start. */
  static long[] scaled(DenseTensor self, int dim, long[] indices) {
    long[] steps = new long[indices.length];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = indices[i] * self.layout().stride(dim);
    }
    return steps;
  }

  /** With {@code indices} of one dimension in their order. */
  static Rearranged along(DenseTensor self, int dim, long[] indices) {
    long[][] steps = plain(self);
    steps[dim] = scaled(self, dim, indices);
    return new Rearranged(steps);
  }

  /** A new row-major tensor in this order; or a fault. */
  Object copied(Call call, DenseTensor self) {
    long[] sizes = new long[steps.length];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = steps[d].length;
    }
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape known ? call.allocate(self.dtype(), known) : shape;
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    int whole = wholeFrom();
    int bytes = self.dtype().bytes();
    long block = bytes;
    for (int d = whole; d < sizes.length; d++) {
      block *= sizes[d];
    }
    int[] index = new int[whole];
    long count = target.elements() * bytes / block;
    for (long i = 0; i < count; i++) {
      Fault stop = i % (1 << 16) == (1 << 16) - 1 ? call.environment().cancelled() : null;
      if (stop != null) {
        target.close();
        return stop;
      }
      long from = self.layout().offset();
      for (int d = 0; d < whole; d++) {
        from += steps[d][index[d]];
      }
      MemorySegment.copy(self.segment(), from * bytes, target.segment(), i * block, block);
      advance(index);
    }
    return target;
  }

  /** The first of the last dimensions that lie in the storage as they will in the copy. */
  private int wholeFrom() {
    long step = 1;
    int dim = steps.length;
    while (dim > 0 && isEven(steps[dim - 1], step)) {
      step *= steps[dim - 1].length;
      dim--;
    }
    return dim;
  }

  private static boolean isEven(long[] places, long step) {
    for (int i = 0; i < places.length; i++) {
      if (places[i] != i * step) {
        return false;
      }
    }
    return true;
  }

  private void advance(int[] index) {
    for (int d = index.length - 1; d >= 0; d--) {
      if (++index[d] < steps[d].length) {
        return;
      }
      index[d] = 0;
    }
  }
}
