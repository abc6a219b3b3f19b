package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for sums of table rows: there are so few offsets and ids that each is read once,
 * without polling for cancellation.
 */
final class FewBags {
  private final RowSum.Table table;
  private final long rows;
  private final long[] ids;
  private final long[] starts;

  private FewBags(DenseTensor table, DenseTensor ids, DenseTensor offsets) {
    this.table = RowSums.table(table);
    this.rows = table.shape().size(0);
    this.ids = read(ids);
    this.starts = read(offsets);
  }

  /** The bags that {@code offsets} delimit; null if there are too many bags or ids. */
  static @Nullable FewBags of(DenseTensor table, DenseTensor ids, DenseTensor offsets) {
    long columns = Math.min(table.shape().size(1), CancellationPoll.STRIDE);
    long read = ids.elements() + offsets.elements();
    return read <= CancellationPoll.STRIDE && read * (1 + columns) <= CancellationPoll.STRIDE
        ? new FewBags(table, ids, offsets)
        : null;
  }

  private static long[] read(DenseTensor vector) {
    long[] all = new long[(int) vector.elements()];
    Operand.of(vector).load(all, vector.layout().offset(), vector.layout().stride(0), all.length);
    return all;
  }

  /** The fault for the first offset out of order, or for the first id without a row; else null. */
  @Nullable Fault misfit() {
    Fault fault = BagOffsets.misfit(starts, ids.length);
    return fault == null ? TableIds.outside(ids, ids.length, 0, rows) : fault;
  }

  /**
   * Writes one row of the first of {@code results}, which has no gaps, for each bag, provided that
   * ids and offsets are valid; returns no fault.
   */
  @Nullable Fault add(Call call, Object[] results) {
    DenseTensor sums = (DenseTensor) results[0];
    int bags = (int) sums.shape().size(0);
    int[] ends = new int[bags];
    for (int bag = 0; bag < bags; bag++) {
      ends[bag] = bag + 1 < starts.length ? (int) starts[bag + 1] : ids.length;
    }
    RowSum adding = call.environment().kernels().rowSum();
    adding.addBags(table, ids, ends, bags, sums.segment(), sums.layout().offset());
    return null;
  }
}
