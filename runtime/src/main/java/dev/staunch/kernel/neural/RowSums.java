package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sums of a float32 table's rows, none of which has gaps: added up as doubles in the order of
 * their ids, and rounded once.
 */
final class RowSums {
  /** Ids that are looked up between two looks for cancellation. */
  private static final int PIECE = 256;

  private RowSums() {}

  /**
   * Writes a row of {@code sums} for each of its bags.
   *
   * @param ids of rows that there are
   * @param starts where each bag begins in {@code ids}; the last one may be followed by its end
   * @return the fault of a cancellation, or null
   */
  static @Nullable Fault of(
      CancellationPoll poll, DenseTensor table, Integers ids, Integers starts, DenseTensor sums) {
    RowSum adding = poll.context().kernels().rowSum();
    MemorySegment rows = table.segment();
    long offset = table.layout().offset();
    long stride = table.layout().stride(0);
    double[] sum = new double[(int) sums.shape().size(1)];
    long[] picked = new long[(int) Math.min(PIECE, ids.size())];
    Operand results = Operand.of(sums);
    long bags = sums.shape().size(0);
    for (long bag = 0; bag < bags && poll.mayContinue(sum.length); bag++) {
      Arrays.fill(sum, 0);
      long end = bag + 1 < starts.size() ? starts.at(bag + 1) : ids.size();
      for (long i = starts.at(bag); i < end && poll.fault() == null; i += PIECE) {
        int count = (int) Math.min(PIECE, end - i);
        ids.copy(i, count, picked, 0);
        adding.add(rows, offset, stride, picked, count, sum);
        poll.mayContinue((long) count * sum.length);
      }
      results.store(sum, bag * sum.length, 1, sum.length);
    }
    return poll.fault();
  }
}
