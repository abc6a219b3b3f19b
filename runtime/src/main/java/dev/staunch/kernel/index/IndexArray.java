package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Indices into one dimension, or the positions that a mask picks from several.
 *
 * @param dim the first dimension
 * @param dims the number of dimensions
 * @param values indices from {@code -size} to {@code size - 1}: a tensor, or its form
 * @param size the size of the dimension
 * @param stride the distance from one index to the next
 */
record IndexArray(int dim, int dims, Object values, long size, long stride) {
  /**
   * Finds the positions that a mask picks from elements in the layout {@code picked}; returns a
   * tensor, or why it cannot.
   */
  @FunctionalInterface
  interface Masks {
    Object places(Object mask, Layout picked);
  }

  /** The arrays that {@code indices} stand for, with masks resolved to positions; or a fault. */
  static Object all(Layout self, List<Object> indices, Masks masks) {
    List<IndexArray> arrays = new ArrayList<>();
    int dim = 0;
    for (Object index : indices) {
      if (!Steps.isTensor(index)) {
        dim++;
        continue;
      }
      Object array = of(self, index, dim, masks);
      if (!(array instanceof IndexArray known)) {
        return array;
      }
      arrays.add(known);
      dim += known.dims();
    }
    return dim > self.shape().rank() ? tooMany(self, dim) : arrays;
  }

  private static Object of(Layout self, Object index, int dim, Masks masks) {
    DType dtype = Steps.form(index).dtype();
    return switch (dtype) {
      case INT64, INT32 ->
          dim >= self.shape().rank()
              ? tooMany(self, dim + 1)
              : new IndexArray(dim, 1, index, self.shape().size(dim), self.stride(dim));
      case BOOL, UINT8 -> ofMask(self, index, dim, masks);
      default ->
          Fault.index("an index tensor must be int64, int32, uint8 or bool, but it is " + dtype)
              .withExpected("int64 or bool", dtype.toString());
    };
  }

  /** Whether a tensor of {@code dtype} acts as a mask; PyTorch's first masks were uint8. */
  static boolean isMask(DType dtype) {
    return dtype == DType.BOOL || dtype == DType.UINT8;
  }

  private static Fault tooMany(Layout self, int indices) {
    String text =
        "there are at least %d indices for a tensor of shape %s; give at most one per dimension";
    return Fault.index(Message.of(text, indices, self.shape()));
  }

  private static Object ofMask(Layout self, Object given, int dim, Masks masks) {
    Shape mask = Steps.form(given).shape();
    Shape all = self.shape();
    for (int i = 0; i < mask.rank(); i++) {
      boolean fits = dim + i < all.rank() && mask.size(i) == all.size(dim + i);
      if (!fits) {
        String text =
            "the mask %s has another size in dimension %d than the tensor %s in dimension %d";
        return Fault.index(Message.of(text, mask, i, all, dim + i))
            .withExpected(all.toString(), mask.toString());
      }
    }
    if (mask.rank() == 0) {
      return Fault.unsupported(
          "a mask without dimensions is not supported as an index; `unsqueeze(0)` it and the tensor"
              + " before");
    }
    long[] strides = Arrays.copyOfRange(self.strides(), dim, dim + mask.rank());
    Object places = masks.places(given, new Layout(mask, strides, 0));
    return places instanceof DenseTensor known
        ? new IndexArray(dim, mask.rank(), known, Long.MAX_VALUE, 1)
        : places;
  }

  Shape shape() {
    return Steps.form(values).shape();
  }

  private DenseTensor tensor() {
    return (DenseTensor) values;
  }

  /** The fault of the first index that is out of bounds, or of a cancellation, or null. */
  @Nullable Fault outside(CancellationPoll poll) {
    return Integers.of(poll, tensor()).outside("indices", dim, -size, size);
  }

  /**
   * The offsets, from a tensor's first element, of the elements that {@code arrays}, broadcast to
   * {@code common}, pick together.
   */
  static Integers offsets(CancellationPoll poll, List<IndexArray> arrays, Shape common) {
    Places[] places = new Places[arrays.size()];
    for (int a = 0; a < places.length; a++) {
      places[a] = Places.of(Broadcast.stretch(arrays.get(a).tensor().layout(), common));
    }
    long[] indices = new long[(int) Math.min(Integers.TILE, common.elements())];
    return new Integers(
        poll,
        common.elements(),
        (first, count, into) -> {
          Arrays.fill(into, 0, count, 0);
          for (int a = 0; a < places.length; a++) {
            Operand.of(arrays.get(a).tensor()).load(indices, places[a], first, count);
            arrays.get(a).add(indices, count, into);
          }
        });
  }

  private void add(long[] indices, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      long index = indices[i] + (indices[i] >> (Long.SIZE - 1) & size);
      into[i] += index * stride;
    }
  }
}
