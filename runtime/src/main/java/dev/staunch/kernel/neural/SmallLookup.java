package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The short way for {@code embedding}: a few ids and a table, both without gaps. */
final class SmallLookup {
  private static final long MOST = 1 << 15;

  private SmallLookup() {}

  /** Whether {@link #run} may be run on a table and ids that {@link TableIds} has accepted. */
  static boolean fits(DenseTensor table, DenseTensor ids) {
    return ids.elements() <= MOST
        && ids.elements() * Math.min(table.shape().size(1), MOST + 1) <= MOST
        && ids.isContiguous()
        && table.isContiguous();
  }

  /** A row of {@code table} for each id, as a new tensor; or a fault. */
  static Object run(Call call, DenseTensor table, DenseTensor ids) {
    Fault fault = TableIds.outside(ids, table.shape().size(0));
    Object made = fault == null ? result(call, table, ids) : fault;
    if (made instanceof DenseTensor result && result.elements() > 0) {
      long row = table.shape().size(1) * table.dtype().bytes();
      long start = table.layout().offset() * table.dtype().bytes();
      MemorySegment from = table.segment();
      MemorySegment to = result.segment();
      int count = (int) ids.elements();
      for (int i = 0; i < count; i++) {
        long id = Elements.asLong(ids.segment(), ids.dtype(), ids.layout().offset() + i);
        MemorySegment.copy(from, start + id * row, to, i * row, row);
      }
    }
    return made;
  }

  private static Object result(Call call, DenseTensor table, DenseTensor ids) {
    if (ids.rank() == 1) {
      return call.allocate(table.dtype(), ids.shape().size(0), table.shape().size(1));
    }
    long[] sizes = Arrays.copyOf(ids.shape().toArray(), ids.rank() + 1);
    sizes[sizes.length - 1] = table.shape().size(1);
    return call.allocate(table.dtype(), Shape.of(sizes));
  }
}
