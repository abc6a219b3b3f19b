package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/**
 * The lines that represent all lines equal to them, as int64 tensors of one dimension.
 *
 * @param firsts the numbers of the representatives
 * @param counts how many lines each of them represents
 * @param places for each line, the index of its representative in {@code firsts}
 */
record UniqueLines(DenseTensor firsts, DenseTensor counts, DenseTensor places) {

  /**
   * The distinct lines among {@code count} lines of {@code width} elements: in ascending order if
   * {@code sorts}, else one for each run of equal neighbours; or a fault, also of a cancellation.
   *
   * @param call the call of {@code steps}; its scope owns the intermediate tensors
   */
  static Object of(
      Steps steps, Call call, DenseTensor lines, long width, long count, boolean sorts) {
    CancellationPoll poll = new CancellationPoll(call);
    Object order =
        sorts
            ? LineOrder.rising(steps, call, poll, lines, width, count)
            : LineOrder.standing(call, poll, lines, width, count);
    Object firsts = call.allocate(DType.INT64, Shape.of(count));
    Object counts = Filling.zeros(call, DType.INT64, Shape.of(count));
    Object places = call.allocate(DType.INT64, Shape.of(count));
    for (Object made : new Object[] {order, firsts, counts, places}) {
      if (made instanceof Fault) {
        return made;
      }
    }
    UniqueLines room =
        new UniqueLines((DenseTensor) firsts, (DenseTensor) counts, (DenseTensor) places);
    long found = room.fill(poll, (LineOrder) order, width);
    return poll.fault() == null ? room.narrowed(call, found) : poll.fault();
  }

  /** Returns the number of distinct lines; meaningless after a cancellation. */
  private long fill(CancellationPoll poll, LineOrder order, long width) {
    long found = 0;
    for (long i = 0; i < places.elements() && poll.mayContinue(width); i++) {
      long line = order.at(i);
      if (i == 0 || !order.same(order.at(i - 1), line)) {
        firsts.segment().setAtIndex(JAVA_LONG, found++, line);
      }
      long before = counts.segment().getAtIndex(JAVA_LONG, found - 1);
      counts.segment().setAtIndex(JAVA_LONG, found - 1, before + 1);
      places.segment().setAtIndex(JAVA_LONG, line, found - 1);
    }
    return found;
  }

  private Object narrowed(Call call, long found) {
    Object first = narrowed(call, firsts, found);
    Object second = narrowed(call, counts, found);
    return first instanceof DenseTensor some && second instanceof DenseTensor numbers
        ? new UniqueLines(some, numbers, places)
        : first instanceof Fault ? first : second;
  }

  private static Object narrowed(Call call, DenseTensor tensor, long length) {
    Object made = call.allocate(DType.INT64, Shape.of(length));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Layout start = Views.narrowed(tensor.layout(), 0, 0, length);
    return CancellationPoll.finished(
        target, Copying.copy(new CancellationPoll(call), tensor, start, target, target.layout()));
  }
}
