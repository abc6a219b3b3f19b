package dev.staunch.kernel.neural;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The fast path for {@code embedding}: a few ids and a table, both without gaps. */
final class SmallLookup {
  private static final long MOST = 1 << 15;

  private SmallLookup() {}

  /** Whether {@link #run} handles this table and these ids. */
  static boolean fits(DenseTensor table, DenseTensor ids) {
    DType dtype = ids.dtype();
    long count = ids.elements();
    Shape shape = table.shape();
    return shape.rank() == 2
        && (dtype == DType.INT64 || dtype == DType.INT32)
        && count <= MOST
        && count * Math.min(shape.size(1), MOST + 1) <= MOST
        && ids.isContiguous()
        && table.isContiguous();
  }

  /** One row of {@code table} for each id, as a new tensor; or a fault. */
  static Object run(Call call, DenseTensor table, DenseTensor ids) {
    Shape shape = table.shape();
    long rows = shape.size(0);
    MemorySegment segment = ids.segment();
    DType dtype = ids.dtype();
    long first = ids.layout().offset();
    int count = (int) ids.elements();
    for (int i = 0; i < count; i++) {
      long id = Elements.asLong(segment, dtype, first + i);
      if (id < 0 || id >= rows) {
        return TableIds.outside(id, i, rows);
      }
    }
    Object made = result(call, table, ids);
    if (made instanceof DenseTensor result && result.elements() > 0) {
      int bytes = table.dtype().bytes();
      long row = shape.size(1) * bytes;
      long start = table.layout().offset() * bytes;
      MemorySegment from = table.segment();
      MemorySegment to = result.segment();
      for (int i = 0; i < count; i++) {
        long id = Elements.asLong(segment, dtype, first + i);
        MemorySegment.copy(from, start + id * row, to, i * row, row);
      }
    }
    return made;
  }

  private static Object result(Call call, DenseTensor table, DenseTensor ids) {
    Shape shape = ids.shape();
    long width = table.shape().size(1);
    if (shape.rank() == 1) {
      return call.allocate(table.dtype(), shape.size(0), width);
    }
    long[] sizes = Arrays.copyOf(shape.toArray(), shape.rank() + 1);
    sizes[sizes.length - 1] = width;
    return call.allocate(table.dtype(), Shape.of(sizes));
  }
}
