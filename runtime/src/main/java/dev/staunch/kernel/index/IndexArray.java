package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Indices into one dimension, or the places that a mask picks from several.
 *
 * @param dim the first dimension
 * @param dims how many
 * @param values indices from {@code -size} to {@code size - 1}
 * @param size of the dimension
 * @param stride from one index to the next
 */
record IndexArray(int dim, int dims, DenseTensor values, long size, long stride) {

  /** The arrays that {@code indices} stand for, masks taken apart; or a fault. */
  static Object all(
      Call call, CancellationPoll poll, Temporaries made, DenseTensor self, List<Object> indices) {
    List<IndexArray> arrays = new ArrayList<>();
    int dim = 0;
    for (Object index : indices) {
      if (!(index instanceof DenseTensor tensor)) {
        dim++;
        continue;
      }
      Object array = of(call, poll, made, self, tensor, dim);
      if (!(array instanceof IndexArray known)) {
        return array;
      }
      arrays.add(known);
      dim += known.dims();
    }
    return dim > self.rank() ? tooMany(self, dim) : arrays;
  }

  private static Object of(
      Call call,
      CancellationPoll poll,
      Temporaries made,
      DenseTensor self,
      DenseTensor index,
      int dim) {
    return switch (index.dtype()) {
      case INT64, INT32 ->
          dim >= self.rank()
              ? tooMany(self, dim + 1)
              : new IndexArray(dim, 1, index, self.shape().size(dim), self.layout().stride(dim));
      case BOOL, UINT8 -> ofMask(call, poll, made, self, index, dim);
      default ->
          Fault.index(
                  "an index tensor must be int64, int32, uint8 or bool, but it is " + index.dtype())
              .withExpected("int64 or bool", index.dtype().toString());
    };
  }

  private static Fault tooMany(DenseTensor self, int indices) {
    String text =
        "there are at least %d indices for a tensor of shape %s; give at most one per dimension";
    return Fault.index(Message.of(text, indices, self.shape()));
  }

  private static Object ofMask(
      Call call,
      CancellationPoll poll,
      Temporaries made,
      DenseTensor self,
      DenseTensor mask,
      int dim) {
    for (int i = 0; i < mask.rank(); i++) {
      boolean fits = dim + i < self.rank() && mask.shape().size(i) == self.shape().size(dim + i);
      if (!fits) {
        String text =
            "the mask %s has another size in dimension %d than the tensor %s in dimension %d";
        return Fault.index(Message.of(text, mask.shape(), i, self.shape(), dim + i))
            .withExpected(self.shape().toString(), mask.shape().toString());
      }
    }
    if (mask.rank() == 0) {
      return Fault.unsupported(
          "a mask without dimensions is not supported as an index; `unsqueeze(0)` it and the tensor"
              + " before");
    }
    long[] strides = Arrays.copyOfRange(self.layout().strides(), dim, dim + mask.rank());
    Layout picked = new Layout(mask.shape(), strides, 0);
    Object places = made.note(MaskPlaces.in(call, poll, mask, picked));
    return places instanceof DenseTensor known
        ? new IndexArray(dim, mask.rank(), known, Long.MAX_VALUE, 1)
        : places;
  }

  Shape shape() {
    return values.shape();
  }

  /** The fault of the first index that is out of bounds, or of a cancellation, or null. */
  @Nullable Fault outside(CancellationPoll poll) {
    return Integers.of(poll, values).outside(dim, -size, size);
  }

  /**
   * How far from a tensor's first element the elements lie that {@code arrays}, broadcast to {@code
   * common}, pick together.
   */
  static Integers offsets(CancellationPoll poll, List<IndexArray> arrays, Shape common) {
    Places[] places = new Places[arrays.size()];
    for (int a = 0; a < places.length; a++) {
      places[a] = Places.of(Broadcast.stretch(arrays.get(a).values().layout(), common));
    }
    long[] indices = new long[(int) Math.min(Integers.TILE, common.elements())];
    return new Integers(
        poll,
        common.elements(),
        (first, count, into) -> {
          Arrays.fill(into, 0, count, 0);
          for (int a = 0; a < places.length; a++) {
            Operand.of(arrays.get(a).values()).load(indices, places[a], first, count);
            arrays.get(a).add(indices, count, into);
          }
        });
  }

  private void add(long[] indices, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      long index = indices[i];
      into[i] += (index < 0 ? index + size : index) * stride;
    }
  }
}
