package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * An order of lines, each of which is some elements of a contiguous tensor. Equal lines keep their
 * original order.
 */
final class LineOrder {
  private final MemorySegment elements;
  private final DType dtype;
  private final long offset;
  private final long width;
  private final long count;
  private MemorySegment order;
  private MemorySegment spare;

  private LineOrder(
      DenseTensor lines, long width, long count, MemorySegment order, MemorySegment spare) {
    this.elements = lines.segment();
    this.dtype = lines.dtype();
    this.offset = lines.layout().offset();
    this.width = width;
    this.count = count;
    this.order = order;
    this.spare = spare;
  }

  /**
   * A {@link LineOrder} of lines in their original order; or a fault. It lives as long as the scope
   * of {@code call}, and must not be used after a cancellation.
   */
  static Object standing(
      Call call, CancellationPoll poll, DenseTensor lines, long width, long count) {
    Object order = call.allocate(DType.INT64, Shape.of(count));
    if (!(order instanceof DenseTensor numbers)) {
      return order;
    }
    LineOrder made = new LineOrder(lines, width, count, numbers.segment(), numbers.segment());
    made.number(poll);
    return made;
  }

  /** As {@link #standing}, for lines in ascending order, with NaN above all numbers. */
  static Object rising(
      Steps steps, Call call, CancellationPoll poll, DenseTensor lines, long width, long count) {
    if (width == 1) {
      Object order = steps.run("argsort.stable", steps.view(lines, -1), true, 0L);
      return order instanceof DenseTensor numbers
          ? new LineOrder(lines, width, count, numbers.segment(), numbers.segment())
          : order;
    }
    Object spare = call.allocate(DType.INT64, Shape.of(count));
    Object order = spare instanceof Fault ? spare : standing(call, poll, lines, width, count);
    if (!(order instanceof LineOrder known) || !(spare instanceof DenseTensor room)) {
      return order;
    }
    known.spare = room.segment();
    known.sort(poll);
    return known;
  }

  /** The number of the line at position {@code i} of this order. */
  long at(long i) {
    return order.getAtIndex(JAVA_LONG, i);
  }

  /** Whether two lines are equal; NaN is equal to nothing. */
  boolean same(long a, long b) {
    for (long i = 0; i < width; i++) {
      boolean equal =
          dtype.isFloating()
              ? real(a * width + i) == real(b * width + i)
              : integer(a * width + i) == integer(b * width + i);
      if (!equal) {
        return false;
      }
    }
    return true;
  }

  private int compare(long a, long b) {
    for (long i = 0; i < width; i++) {
      int difference =
          dtype.isFloating()
              ? Double.compare(real(a * width + i) + 0.0, real(b * width + i) + 0.0)
              : Long.compare(integer(a * width + i), integer(b * width + i));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private double real(long i) {
    return Elements.asDouble(elements, dtype, offset + i);
  }

  private long integer(long i) {
    return Elements.asLong(elements, dtype, offset + i);
  }

  private void number(CancellationPoll poll) {
    MemorySegment numbers = order;
    poll.inPieces(
        count,
        (first, pieces) -> {
          for (long i = first; i < first + pieces; i++) {
            numbers.setAtIndex(JAVA_LONG, i, i);
          }
        });
  }

  private void sort(CancellationPoll poll) {
    for (long run = 1; run < count; run *= 2) {
      for (long low = 0; low < count && poll.fault() == null; low += 2 * run) {
        merge(poll, low, run);
      }
      MemorySegment merged = spare;
      spare = order;
      order = merged;
    }
  }

  /**
   * Merges two runs of at most {@code run} lines each, the first of which starts at {@code low}.
   */
  private void merge(CancellationPoll poll, long low, long run) {
    long middle = Math.min(count, low + run);
    long high = Math.min(count, low + 2 * run);
    long left = low;
    long right = middle;
    for (long to = low; to < high && poll.mayContinue(width); to++) {
      boolean first = right == high || (left < middle && compare(at(left), at(right)) <= 0);
      spare.setAtIndex(JAVA_LONG, to, at(first ? left++ : right++));
    }
  }
}
