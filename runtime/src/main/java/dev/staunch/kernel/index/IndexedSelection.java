package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.operation.Inference;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The elements of a tensor that index arrays pick: one for each position in {@code outer}, each
 * position in the arrays, broadcast together, and each position in {@code inner}. Its offset is the
 * sum of the three offsets.
 *
 * @param common the shape to which the arrays broadcast
 */
record IndexedSelection(
    Shape shape, Layout outer, List<IndexArray> arrays, Shape common, Layout inner) {
  /**
   * The elements that {@code indices} pick from {@code self}, in NumPy's order of dimensions; or a
   * fault.
   *
   * @param made takes ownership of tensors that are read along with the result
   */
  static Object of(
      Call call, CancellationPoll poll, Temporaries made, DenseTensor self, List<Object> indices) {
    Object found =
        of(
            self.layout(),
            indices,
            (mask, picked) -> made.note(MaskPositions.in(call, poll, (DenseTensor) mask, picked)));
    if (found instanceof IndexedSelection picked) {
      for (IndexArray array : picked.arrays) {
        Fault fault = picked.common.elements() == 0 ? null : array.outside(poll);
        if (fault != null) {
          return fault;
        }
      }
    }
    return found;
  }

  /**
   * The shape of the elements that {@code indices} pick; unknown for a mask, because it depends on
   * the mask's elements.
   */
  static Object shape(Layout self, List<Object> indices) {
    Object found = of(self, indices, (mask, picked) -> Inference.Unknown.DEPENDS_ON_VALUES);
    return found instanceof IndexedSelection picked ? picked.shape : found;
  }

  private static Object of(Layout self, List<Object> indices, IndexArray.Masks masks) {
    Object found = IndexArray.all(self, indices, masks);
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
          "the index tensors do not broadcast to one shape; theirs are "
              + String.join(", ", arrays.stream().map(array -> array.shape().toString()).toList()));
    }
    return around(self, arrays, shape);
  }

  private static Object around(Layout self, List<IndexArray> arrays, Shape common) {
    boolean[] picked = new boolean[self.shape().rank()];
    boolean together = true;
    int next = arrays.isEmpty() ? 0 : arrays.get(0).dim();
    for (IndexArray array : arrays) {
      together &= array.dim() == next;
      next = array.dim() + array.dims();
      Arrays.fill(picked, array.dim(), next, true);
    }
    int place = together && !arrays.isEmpty() ? arrays.get(0).dim() : 0;
    Layout outer = kept(self, picked, 0, place, self.offset());
    Layout inner = kept(self, picked, place, picked.length, 0);
    Object shape = Filling.shape(sizes(outer.shape(), common, inner.shape()));
    return shape instanceof Shape known
        ? new IndexedSelection(known, outer, arrays, common, inner)
        : shape;
  }

  private static long[] sizes(Shape before, Shape common, Shape behind) {
    long[] sizes = Arrays.copyOf(before.toArray(), before.rank() + common.rank() + behind.rank());
    System.arraycopy(common.toArray(), 0, sizes, before.rank(), common.rank());
    System.arraycopy(behind.toArray(), 0, sizes, before.rank() + common.rank(), behind.rank());
    return sizes;
  }

  /** The dimensions from {@code first} up to {@code end} that no index picks from. */
  private static Layout kept(Layout self, boolean[] picked, int first, int end, long offset) {
    long[] sizes = new long[end - first];
    long[] strides = new long[end - first];
    int rank = 0;
    for (int dim = first; dim < end; dim++) {
      if (!picked[dim]) {
        sizes[rank] = self.shape().size(dim);
        strides[rank++] = self.stride(dim);
      }
    }
    Shape shape = Shape.of(Arrays.copyOf(sizes, rank));
    return new Layout(shape, Arrays.copyOf(strides, rank), offset);
  }

  /** Copies the picked elements of {@code self} into a new tensor; or a fault. */
  Object copied(Call call, CancellationPoll poll, DenseTensor self) {
    boolean rows = isOfRows();
    long picked = common.elements();
    boolean columns = inner.shape().elements() == 1 && 0 < picked && picked <= Integers.TILE;
    if (!rows && !columns) {
      return copied(call, poll, self, shape, positions(poll));
    }
    Object made = call.allocate(self.dtype(), shape);
    if (made instanceof DenseTensor target) {
      if (rows) {
        copyRows(poll, self, target);
      } else {
        copyColumns(call, poll, self, target);
      }
      return CancellationPoll.finished(target, poll.fault());
    }
    return made;
  }

  private void copyRows(CancellationPoll poll, DenseTensor self, DenseTensor target) {
    int bytes = self.dtype().bytes();
    long row = inner.shape().elements() * bytes;
    eachRow(
        poll,
        (place, number) ->
            poll.copy(self.segment(), place * bytes, target.segment(), number * row, row));
  }

  /**
   * Whether whole rows without gaps are picked, so that a row-major tensor of this shape has one
   * row for each.
   */
  boolean isOfRows() {
    return inner.shape().elements() > 1 && inner.isContiguous();
  }

  /**
   * Overwrites the picked rows, in order, with those of {@code rows}, a storage, from {@code at}.
   */
  void writeRows(CancellationPoll poll, DenseTensor rows, long at, DenseTensor self) {
    int bytes = self.dtype().bytes();
    long row = inner.shape().elements() * bytes;
    eachRow(
        poll,
        (place, number) ->
            poll.copy(
                rows.segment(), at * bytes + number * row, self.segment(), place * bytes, row));
  }

  /** Receives where a row begins, and its number. */
  private interface Row {
    void at(long place, long number);
  }

  private void eachRow(CancellationPoll poll, Row row) {
    Places leads = Places.of(outer);
    Integers offsets = IndexArray.offsets(poll, arrays, common);
    long number = 0;
    for (long k = 0; k < outer.shape().elements() && poll.fault() == null; k++) {
      for (long i = 0; i < offsets.size() && poll.fault() == null; i++) {
        row.at(leads.at(k) + offsets.at(i), number++);
      }
    }
  }

  /** Copies the elements that the arrays pick from each row of {@code outer}. */
  private void copyColumns(Call call, CancellationPoll poll, DenseTensor self, DenseTensor target) {
    long[] offsets = new long[(int) common.elements()];
    IndexArray.offsets(poll, arrays, common).load(0, offsets.length, offsets);
    shift(offsets, 0, offsets.length, inner.offset());
    Places starts = Places.of(outer);
    long rows = outer.shape().elements();
    Gather gather = call.environment().kernels().gather(self.dtype());
    gather.gatherRows(
        poll.shared(), self.segment(), starts::load, rows, offsets, target.segment(), 0);
  }

  /** Copies the elements of {@code self} at {@code positions} into a new tensor; or a fault. */
  static Object copied(
      Call call, CancellationPoll poll, DenseTensor self, Shape shape, Integers positions) {
    Object made = call.allocate(self.dtype(), shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Gather gather = call.environment().kernels().gather(self.dtype());
    gather.gather(poll.shared(), self.segment(), positions, positions.size(), target.segment(), 0);
    return CancellationPoll.finished(target, poll.fault());
  }

  /** Storage positions of all picked elements, in the order of the result. */
  Integers positions(CancellationPoll poll) {
    Places leads = Places.of(outer);
    Places tails = Places.of(inner);
    Integers offsets = IndexArray.offsets(poll, arrays, common);
    long width = inner.shape().elements();
    return new Integers(
        poll,
        shape.elements(),
        (first, count, into) -> {
          for (int done = 0; done < count; ) {
            long offset = (first + done) / width % offsets.size();
            long lead = leads.at((first + done) / width / offsets.size());
            int run;
            if (width == 1) {
              run = (int) Math.min(offsets.size() - offset, count - done);
              offsets.copy(offset, run, into, done);
              shift(into, done, run, lead + inner.offset());
            } else {
              long tail = (first + done) % width;
              run = (int) Math.min(width - tail, count - done);
              long start = lead + offsets.at(offset);
              for (int i = 0; i < run; i++) {
                into[done + i] = start + tails.at(tail + i);
              }
            }
            done += run;
          }
        });
  }

  private static void shift(long[] numbers, int from, int count, long by) {
    for (int i = from; i < from + count; i++) {
      numbers[i] += by;
    }
  }
}
