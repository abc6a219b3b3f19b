package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/**
 * The positions of the elements of a mask that are not 0. They are selected without a branch,
 * because the processor would mispredict every second one of a random mask.
 */
final class MaskPositions {
  /** Elements that are processed together. */
  private static final int TILE = 1024;

  private final CancellationPoll poll;
  private final DenseTensor mask;
  private final Operand elements;
  private final double[] flags;
  private final long[] numbers;

  private MaskPositions(CancellationPoll poll, DenseTensor mask) {
    int tile = (int) Math.min(TILE, mask.elements());
    this.poll = poll;
    this.mask = mask;
    this.elements = Operand.of(mask);
    this.flags = new double[tile];
    this.numbers = new long[tile];
  }

  /** Receives the first {@code count} elements of an array: those that were selected. */
  private interface Found {
    void take(long[] numbers, int count);
  }

  /**
   * The positions that {@code picked}, a layout of the mask's shape, has for the elements that are
   * not 0: an int64 tensor of one dimension; or a fault, also of a cancellation.
   */
  static Object in(Call call, CancellationPoll poll, DenseTensor mask, Layout picked) {
    MaskPositions places = new MaskPositions(poll, mask);
    Shape shape = Shape.of(places.count());
    Object made = poll.fault() == null ? call.allocate(DType.INT64, shape) : poll.fault();
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    long[] next = {0};
    places.each(
        Places.of(picked)::load,
        (numbers, count) -> {
          MemorySegment.copy(numbers, 0, target.segment(), JAVA_LONG, next[0] * Long.BYTES, count);
          next[0] += count;
        });
    return CancellationPoll.finished(target, poll.fault());
  }

  /**
   * The indices of the elements that are not 0: an int64 tensor with one row for each, in
   * column-major order; or a fault, also of a cancellation.
   */
  static Object indices(Call call, CancellationPoll poll, DenseTensor mask) {
    int rank = mask.rank();
    MaskPositions places = new MaskPositions(poll, mask);
    long count = places.count();
    Layout columns = new Layout(Shape.of(count, rank), new long[] {1, count}, 0);
    Object made = poll.fault() == null ? call.allocate(DType.INT64, columns) : poll.fault();
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Columns indices = new Columns(mask.shape().toArray(), target, places.numbers.length);
    places.each(MaskPositions::number, indices);
    return CancellationPoll.finished(target, poll.fault());
  }

  private static void number(long first, int count, long[] into) {
    for (int i = 0; i < count; i++) {
      into[i] = first + i;
    }
  }

  /** The number of elements that are not 0; meaningless after a cancellation. */
  private long count() {
    Places places = Places.of(mask.layout());
    long[] count = {0};
    poll.inPieces(
        mask.elements(),
        TILE,
        (first, part) -> {
          elements.load(flags, places, first, part);
          for (int i = 0; i < part; i++) {
            count[0] += isSet(flags[i]);
          }
        });
    return count[0];
  }

  /** 1 for any number but 0. */
  private static long isSet(double flag) {
    long shifted = Double.doubleToRawLongBits(flag) << 1; // either zero becomes 0
    return (shifted | -shifted) >>> (Long.SIZE - 1);
  }

  /**
   * Of the numbers that {@code all} has for the elements, passes on those of the elements that are
   * not 0.
   */
  private void each(Gather.Positions all, Found found) {
    Places places = Places.of(mask.layout());
    poll.inPieces(
        mask.elements(),
        TILE,
        (first, part) -> {
          elements.load(flags, places, first, part);
          all.load(first, part, numbers);
          int kept = 0;
          for (int i = 0; i < part; i++) {
            numbers[kept] = numbers[i];
            kept += (int) isSet(flags[i]);
          }
          found.take(numbers, kept);
        });
  }

  /** Writes ascending row-major element numbers as indices, one column for each dimension. */
  private static final class Columns implements Found {
    private final long[] sizes;
    private final DenseTensor target;
    private final long[] index;
    private final long[][] columns;
    private long number;
    private long next;

    Columns(long[] sizes, DenseTensor target, int most) {
      this.sizes = sizes;
      this.target = target;
      this.index = new long[sizes.length];
      this.columns = new long[sizes.length][most];
    }

    @Override
    public void take(long[] numbers, int count) {
      for (int i = 0; i < count; i++) {
        advance(numbers[i] - number);
        number = numbers[i];
        for (int d = 0; d < index.length; d++) {
          columns[d][i] = index[d];
        }
      }
      for (int d = 0; d < index.length; d++) {
        long at = (d * target.shape().size(0) + next) * Long.BYTES;
        MemorySegment.copy(columns[d], 0, target.segment(), JAVA_LONG, at, count);
      }
      next += count;
    }

    /** Divides only when a step leaves its row. */
    private void advance(long by) {
      long left = by;
      for (int d = sizes.length - 1; d >= 0 && left > 0; d--) {
        long at = index[d] + left;
        left = at < sizes[d] ? 0 : at / sizes[d];
        index[d] = at - left * sizes[d];
      }
    }
  }
}
