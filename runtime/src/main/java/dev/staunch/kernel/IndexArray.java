package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Indices into one dimension, row-major. */
record IndexArray(int dim, long[] values, Shape shape) {

  /** The arrays that {@code indices} stand for, masks taken apart; or a fault. */
  static Object all(Lookout lookout, DenseTensor self, List<Object> indices) {
    List<IndexArray> arrays = new ArrayList<>();
    int dim = 0;
    for (Object index : indices) {
      if (!(index instanceof DenseTensor tensor)) {
        dim++;
        continue;
      }
      Fault fault = add(lookout, self, tensor, dim, arrays);
      if (fault != null) {
        return fault;
      }
      boolean mask = tensor.dtype() == DType.BOOL || tensor.dtype() == DType.UINT8;
      dim += mask ? tensor.rank() : 1;
    }
    return dim > self.rank()
        ? Fault.index(
            "too many indices for tensor of dimension %d (got %d)".formatted(self.rank(), dim))
        : arrays;
  }

  private static @Nullable Fault add(
      Lookout lookout, DenseTensor self, DenseTensor index, int dim, List<IndexArray> arrays) {
    return switch (index.dtype()) {
      case INT64 -> {
        if (dim >= self.rank()) {
          yield Fault.index("too many indices for tensor of dimension " + self.rank());
        }
        arrays.add(new IndexArray(dim, Filling.longs(lookout, index), index.shape()));
        yield lookout.fault();
      }
      case BOOL, UINT8 -> addMask(lookout, self, index, dim, arrays);
      default ->
          Fault.index("tensors used as indices must be long, byte or bool tensors")
              .withExpected("int64 or bool", index.dtype().toString());
    };
  }

  private static @Nullable Fault addMask(
      Lookout lookout, DenseTensor self, DenseTensor mask, int dim, List<IndexArray> arrays) {
    for (int i = 0; i < mask.rank(); i++) {
      boolean fits = dim + i < self.rank() && mask.shape().size(i) == self.shape().size(dim + i);
      if (!fits) {
        String text =
            "the shape of the mask %s at index %d does not match the shape of the indexed tensor"
                + " %s at index %d";
        return Fault.index(text.formatted(mask.shape(), i, self.shape(), dim + i))
            .withExpected(self.shape().toString(), mask.shape().toString());
      }
    }
    if (mask.rank() == 0) {
      return Fault.unsupported("indexing with a mask without dimensions is not supported");
    }
    long[][] places = places(lookout, mask);
    for (int i = 0; i < mask.rank(); i++) {
      arrays.add(new IndexArray(dim + i, places[i], Shape.of(places[i].length)));
    }
    return lookout.fault();
  }

  /** For each dimension, the indices of the elements that are not zero; wrong if cancelled. */
  static long[][] places(Lookout lookout, DenseTensor mask) {
    double[] flags = Filling.read(lookout, mask);
    int count = 0;
    for (int i = 0; i < flags.length && lookout.goesOn(1); i++) {
      count += flags[i] == 0 ? 0 : 1;
    }
    long[][] places = new long[mask.rank()][count];
    int next = 0;
    for (int i = 0; i < flags.length && lookout.goesOn(1); i++) {
      if (flags[i] != 0) {
        long left = i;
        for (int d = mask.rank() - 1; d >= 0; d--) {
          places[d][next] = left % mask.shape().size(d);
          left /= mask.shape().size(d);
        }
        next++;
      }
    }
    return places;
  }

  /** Adds {@code stride} times each index, broadcast to {@code common}; the fault of a bad one. */
  @Nullable Fault addTo(Lookout lookout, long[] offsets, Shape common, long size, long stride) {
    Layout stretched = Broadcast.stretch(Layout.contiguous(shape), common);
    Places places = Places.of(stretched);
    for (int i = 0; i < offsets.length && lookout.goesOn(1); i++) {
      long index = values[(int) places.at(i)];
      if (index < -size || index >= size) {
        return Demands.index(index, places.at(i), dim, size, -size);
      }
      offsets[i] += (index < 0 ? index + size : index) * stride;
    }
    return lookout.fault();
  }
}
