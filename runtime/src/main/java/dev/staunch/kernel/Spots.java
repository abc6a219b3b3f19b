package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Where gather reads and scatter writes: for each element of the index, a place in the tensor that
 * is indexed, and one in the tensor of values.
 */
record Spots(long[] targets, long[] sources) {

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
    if (index.elements() == 0) {
      return new Spots(new long[0], new long[0]);
    }
    long[] strides = self.rank() == index.rank() ? self.layout().strides() : new long[index.rank()];
    long step = self.rank() == 0 ? 1 : self.layout().stride(at);
    if (strides.length > 0) {
      strides[at] = 0;
    }
    Layout spread = new Layout(index.shape(), strides, self.layout().offset());
    long[] targets = Filling.positions(lookout, spread);
    long[] indices = Filling.longs(lookout, index);
    long size = self.rank() == 0 ? 1 : self.shape().size(at);
    for (int i = 0; i < targets.length && lookout.goesOn(1); i++) {
      if (indices[i] < 0 || indices[i] >= size) {
        return Demands.index(indices[i], i, at, size, 0);
      }
      targets[i] += indices[i] * step;
    }
    long[] sources = source == null ? new long[0] : sources(lookout, index, source);
    return lookout.fault() == null ? new Spots(targets, sources) : lookout.fault();
  }

  private static long[] sources(Lookout lookout, DenseTensor index, DenseTensor source) {
    long[] strides =
        source.rank() == index.rank() ? source.layout().strides() : new long[index.rank()];
    return Filling.positions(lookout, new Layout(index.shape(), strides, source.layout().offset()));
  }

  private static @Nullable Fault misfit(
      String name, DenseTensor self, int dim, DenseTensor index, @Nullable DenseTensor source) {
    if (index.dtype() != DType.INT64) {
      return Fault.dtype(name + "(): Expected dtype int64 for index")
          .withExpected("int64", index.dtype().toString());
    }
    if (index.elements() == 0) {
      return null;
    }
    if (Math.max(self.rank(), 1) != Math.max(index.rank(), 1)) {
      return Fault.shape("index tensor must have the same number of dimensions as input tensor")
          .withExpected(self.rank() + " dimensions", index.rank() + " dimensions");
    }
    for (int d = 0; d < Math.min(self.rank(), index.rank()); d++) {
      boolean fits = d == dim || index.shape().size(d) <= self.shape().size(d);
      boolean covered =
          source == null || source.rank() <= d || index.shape().size(d) <= source.shape().size(d);
      if (!fits || !covered) {
        String text = "expected index %s to be smaller than self %s apart from dimension %d";
        String more = source == null ? "" : " and to be smaller size than src " + source.shape();
        return Fault.shape(text.formatted(index.shape(), self.shape(), dim) + more);
      }
    }
    boolean ranks = source == null || Math.max(source.rank(), 1) == Math.max(index.rank(), 1);
    return ranks
        ? null
        : Fault.shape("index tensor must have the same number of dimensions as src tensor");
  }
}
