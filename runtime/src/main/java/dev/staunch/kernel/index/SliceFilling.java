package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;

/** {@code index_fill}: one number in all elements of some slices along a dimension. */
final class SliceFilling {
  /** From this many slices with gaps on, they are filled row by row. */
  private static final int MANY = 16;

  private SliceFilling() {}

  static Object run(Steps steps, Call call, DenseTensor target) {
    CancellationPoll poll = new CancellationPoll(call);
    Object found = PlacingOperations.slices(call, poll, target, SliceWriting.FILL);
    if (!(found instanceof Integers slices)) {
      return found;
    }
    if (call.value(3) instanceof DenseTensor value && value.rank() > 0) {
      String text =
          "`value` of index_fill must have no dimensions, but its shape is %s; use index_copy for"
              + " slices";
      return OperandChecks.shape(Message.of(text, value.shape()), "no dimension", value.shape());
    }
    int dim = (Integer) Dimensions.wrap(call.integer(1), target.rank());
    String form = call.value(3) instanceof DenseTensor ? "fill_.Tensor" : "fill_.Scalar";
    long size = target.rank() == 0 ? 1 : target.shape().size(dim);
    long work = PlacingOperations.work(target, dim);
    Object result = target;
    Object first = target;
    for (long i = 0;
        i < slices.size() && !(result instanceof Fault) && poll.mayContinue(work);
        i++) {
      long slice = slices.at(i);
      Object to = PlacingOperations.part(call, target, dim, slice < 0 ? slice + size : slice);
      if (i > 0
          && first instanceof DenseTensor filled
          && to instanceof DenseTensor other
          && other.isContiguous()) {
        result = PlacingOperations.copied(poll, filled, other);
      } else if (i > 0 && slices.size() >= MANY) {
        PlacingOperations.close(to, target);
        repeat(poll, target, dim, slices);
        break;
      } else {
        result = steps.run(form, to, call.value(3));
      }
      if (i == 0) {
        first = to;
      } else {
        PlacingOperations.close(to, target);
      }
    }
    PlacingOperations.close(first, target);
    return poll.fault() == null ? result : poll.fault();
  }

  /** Fills slices with the number in the first one, row by row. */
  private static void repeat(CancellationPoll poll, DenseTensor target, int dim, Integers slices) {
    Layout layout = target.layout();
    Places rows = Places.of(Views.selected(layout, dim, 0));
    long count = target.elements() / layout.shape().size(dim);
    long size = layout.shape().size(dim);
    long step = layout.stride(dim);
    long from = rows.at(0) + Math.floorMod(slices.at(0), size) * step;
    int bytes = target.dtype().bytes();
    MemorySegment memory = target.segment();
    slices.each((first, many, tile) -> {
      for (long i = 0; i < count && poll.mayContinue(many); i++) {
        long at = rows.at(i);
        for (int k = 0; k < many; k++) {
          long slice = tile[k] < 0 ? tile[k] + size : tile[k];
          Copying.element(memory, from, memory, at + slice * step, bytes);
        }
      }
    });
  }
}
