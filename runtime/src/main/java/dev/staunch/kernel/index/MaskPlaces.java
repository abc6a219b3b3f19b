package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/** Where the elements of a mask are that are not 0. */
final class MaskPlaces {
  private MaskPlaces() {}

  /**
   * The places that {@code picked}, of the mask's shape, has for the elements that are not 0: an
   * int64 tensor of one dimension; or a fault, also of a cancellation.
   */
  static Object in(Call call, CancellationPoll poll, DenseTensor mask, Layout picked) {
    Shape shape = Shape.of(count(poll, mask));
    Object made = poll.fault() == null ? call.allocate(DType.INT64, shape) : poll.fault();
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Reals flags = Reals.of(poll, mask);
    Places places = Places.of(picked);
    MemorySegment out = target.segment();
    long next = 0;
    for (long i = 0; next < shape.elements() && poll.fault() == null; i++) {
      if (flags.at(i) != 0) {
        out.setAtIndex(JAVA_LONG, next++, places.at(i));
      }
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /**
   * The indices of the elements that are not 0: an int64 tensor with a row for each; or a fault,
   * also of a cancellation.
   */
  static Object indices(Call call, CancellationPoll poll, DenseTensor mask) {
    int rank = mask.rank();
    long count = count(poll, mask);
    Object made =
        poll.fault() == null ? call.allocate(DType.INT64, Shape.of(count, rank)) : poll.fault();
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Reals flags = Reals.of(poll, mask);
    MemorySegment out = target.segment();
    long next = 0;
    for (long i = 0; next < count && poll.fault() == null; i++) {
      if (flags.at(i) != 0) {
        long left = i;
        for (int d = rank - 1; d >= 0; d--) {
          out.setAtIndex(JAVA_LONG, next * rank + d, left % mask.shape().size(d));
          left /= mask.shape().size(d);
        }
        next++;
      }
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /** How many elements are not 0; of no use after a cancellation. */
  private static long count(CancellationPoll poll, DenseTensor mask) {
    Reals flags = Reals.of(poll, mask);
    long count = 0;
    for (long i = 0; i < flags.size() && poll.fault() == null; i++) {
      count += flags.at(i) == 0 ? 0 : 1;
    }
    return count;
  }
}
