package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

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
    if (sorts && width == 1 && !lines.dtype().isFloating()) {
      Integers integers = Integers.of(poll, lines);
      long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
      integers.each((first, size, values) -> {
        long least = ends[0];
        long most = ends[1];
        for (int i = 0; i < size; i++) {
          least = Math.min(least, values[i]);
          most = Math.max(most, values[i]);
        }
        ends[0] = least;
        ends[1] = most;
      });
      long most = ends[1] - ends[0]; // below 0 if it overflows
      if (most >= 0 && most < count && poll.fault() == null) {
        return counted(call, poll, integers, ends[0], most + 1);
      }
    }
    return ordered(steps, call, poll, lines, width, count, sorts);
  }

  /** As {@link #of}, for integers from {@code least} to {@code least + span - 1}. */
  private static Object counted(
      Call call, CancellationPoll poll, Integers integers, long least, long span) {
    Object firsts = call.allocate(DType.INT64, Shape.of(span));
    Object counts = Filling.zeros(call, DType.INT64, Shape.of(span));
    Object ranks = call.allocate(DType.INT64, Shape.of(span));
    Object places = call.allocate(DType.INT64, Shape.of(integers.size()));
    for (Object made : new Object[] {firsts, counts, ranks, places}) {
      if (made instanceof Fault) {
        return made;
      }
    }
    UniqueLines room =
        new UniqueLines((DenseTensor) firsts, (DenseTensor) counts, (DenseTensor) places);
    MemorySegment first = room.firsts.segment();
    MemorySegment number = room.counts.segment();
    MemorySegment rank = ((DenseTensor) ranks).segment();
    integers.each((start, size, values) -> {
      for (int i = 0; i < size; i++) {
        long at = values[i] - least;
        long before = number.getAtIndex(JAVA_LONG, at);
        number.setAtIndex(JAVA_LONG, at, before + 1);
        if (before == 0) {
          first.setAtIndex(JAVA_LONG, at, start + i);
        }
      }
    });
    long found = 0;
    long[] ranked = new long[(int) Math.min(Integers.TILE, integers.size())];
    for (long at = 0; at < span && poll.mayContinue(1); at++) {
      long count = number.getAtIndex(JAVA_LONG, at);
      rank.setAtIndex(JAVA_LONG, at, found);
      if (count > 0) {
        first.setAtIndex(JAVA_LONG, found, first.getAtIndex(JAVA_LONG, at));
        number.setAtIndex(JAVA_LONG, found++, count);
      }
    }
    integers.each((start, size, values) -> {
      for (int i = 0; i < size; i++) {
        ranked[i] = rank.getAtIndex(JAVA_LONG, values[i] - least);
      }
      Operand.of(room.places).store(ranked, start, 1, size);
    });
    return poll.fault() == null ? room.narrowed(call, found) : poll.fault();
  }

  private static Object ordered(
      Steps steps,
      Call call,
      CancellationPoll poll,
      DenseTensor lines,
      long width,
      long count,
      boolean sorts) {
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
