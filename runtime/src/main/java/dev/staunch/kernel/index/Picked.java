package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The elements of a tensor that index arrays pick: for each of {@code outer}, each of {@code
 * offsets}, each of {@code inner}, the element at the sum of the three.
 */
record Picked(Shape shape, long[] outer, long[] offsets, long[] inner) {

  /** What {@code indices} pick from {@code self}, in NumPy's order of dimensions; or a fault. */
  static Object of(Lookout lookout, DenseTensor self, List<Object> indices) {
    Object found = IndexArray.all(lookout, self, indices);
    if (!(found instanceof List<?> list)) {
      return found;
    }
    List<IndexArray> arrays = new ArrayList<>();
    Object common = Shape.SCALAR;
    for (Object entry : list) {
      IndexArray array = (IndexArray) entry;
      arrays.add(array);
      if (common instanceof Shape known) {
        common = Broadcast.shape(known, array.shape());
      }
    }
    if (!(common instanceof Shape shape)) {
      return Fault.index(
          "shape mismatch: indexing tensors could not be broadcast together with shapes "
              + String.join(", ", arrays.stream().map(array -> array.shape().toString()).toList()));
    }
    long[] offsets = new long[Math.toIntExact(shape.elements())];
    for (IndexArray array : arrays) {
      int dim = array.dim();
      long stride = self.layout().stride(dim);
      Fault fault = array.addTo(lookout, offsets, shape, self.shape().size(dim), stride);
      if (fault != null) {
        return fault;
      }
    }
    return around(lookout, self, arrays, shape, offsets);
  }

  private static Object around(
      Lookout lookout, DenseTensor self, List<IndexArray> arrays, Shape common, long[] offsets) {
    boolean[] indexed = new boolean[self.rank()];
    arrays.forEach(array -> indexed[array.dim()] = true);
    int first = arrays.isEmpty() ? 0 : arrays.get(0).dim();
    int last = arrays.isEmpty() ? -1 : arrays.get(arrays.size() - 1).dim();
    int place = arrays.size() == last - first + 1 ? first : 0;
    List<Integer> kept = new ArrayList<>();
    for (int d = 0; d < self.rank(); d++) {
      if (!indexed[d]) {
        kept.add(d);
      }
    }
    List<Long> sizes = new ArrayList<>();
    kept.subList(0, place).forEach(d -> sizes.add(self.shape().size(d)));
    for (int i = 0; i < common.rank(); i++) {
      sizes.add(common.size(i));
    }
    List<Integer> behind = kept.subList(place, kept.size());
    behind.forEach(d -> sizes.add(self.shape().size(d)));
    List<Integer> before = kept.subList(0, place);
    long[] outer = positions(lookout, self.layout(), before, self.layout().offset());
    long[] inner = positions(lookout, self.layout(), behind, 0);
    if (lookout.fault() != null) {
      return lookout.fault();
    }
    Object shape = Filling.shape(sizes.stream().mapToLong(Long::longValue).toArray());
    return shape instanceof Shape known ? new Picked(known, outer, offsets, inner) : shape;
  }

  private static long[] positions(Lookout lookout, Layout layout, List<Integer> dims, long offset) {
    long[] sizes = dims.stream().mapToLong(layout.shape()::size).toArray();
    long[] strides = dims.stream().mapToLong(layout::stride).toArray();
    return Filling.positions(lookout, new Layout(Shape.of(sizes), strides, offset));
  }

  /** Copies the picked elements of {@code self} into a new tensor; or a fault. */
  Object copied(Call call, Lookout lookout, DenseTensor self) {
    Object made = call.allocate(self.dtype(), shape);
    if (!(made instanceof DenseTensor target) || shape.elements() == 0) {
      return made;
    }
    int run = run();
    int most = Math.max(1, Lookout.STRIDE / 4 / inner.length);
    for (int k = 0; k < outer.length && lookout.fault() == null; k++) {
      long lead = outer[k];
      long start = (long) k * offsets.length * inner.length;
      lookout.inPieces(
          offsets.length,
          most,
          (first, count) -> {
            for (int i = (int) first; i < first + count && lookout.fault() == null; i++) {
              long from = lead + offsets[i];
              copy(lookout, self, from, target, start + (long) i * inner.length, run);
            }
          });
    }
    return Lookout.finished(target, lookout.fault());
  }

  /** Copies the inner elements, {@code run} at a time. */
  private void copy(
      Lookout lookout, DenseTensor self, long from, DenseTensor target, long to, int run) {
    int bytes = self.dtype().bytes();
    if (run > 1) {
      long length = (long) run * bytes;
      lookout.copy(self.segment(), from * bytes, target.segment(), to * bytes, length);
    } else if (inner.length == 1) {
      Copying.element(self.segment(), from + inner[0], target.segment(), to, bytes);
    } else {
      for (int i = 0; i < inner.length && lookout.goesOn(1); i++) {
        Copying.element(self.segment(), from + inner[i], target.segment(), to + i, bytes);
      }
    }
  }

  /** Elements that lie side by side: all inner ones, or one. */
  private int run() {
    for (int i = 0; i < inner.length; i++) {
      if (inner[i] != i) {
        return 1;
      }
    }
    return Math.max(1, inner.length);
  }

  /** Storage positions of all picked elements, in the order of the result; none if cancelled. */
  long[] positions(Lookout lookout) {
    long[] positions = new long[Math.toIntExact(shape.elements())];
    int next = 0;
    for (long lead : positions.length == 0 ? new long[0] : outer) {
      for (long offset : offsets) {
        if (!lookout.goesOn(inner.length)) {
          return positions;
        }
        for (long tail : inner) {
          positions[next++] = lead + offset + tail;
        }
      }
    }
    return positions;
  }
}
