package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;

/** Copies elements between layouts and dtypes. */
final class Copying {
  private Copying() {}

  /** A row-major copy in {@code dtype}; or a fault. */
  static Object toContiguous(Call call, DenseTensor source, DType dtype) {
    Fault unsupported =
        dtype == source.dtype() ? null : Promotion.unsupported("a cast from or to complex", dtype);
    Object made = unsupported == null ? call.allocate(dtype, source.shape()) : unsupported;
    if (made instanceof DenseTensor target) {
      copy(source, source.layout(), target, target.layout());
    }
    return made;
  }

  /** Copies the elements of one layout of {@code source} to one of {@code target}, in order. */
  static void copy(DenseTensor source, Layout from, DenseTensor target, Layout to) {
    int width = source.dtype().bytes();
    MemorySegment in = source.segment();
    MemorySegment out = target.segment();
    boolean same = source.dtype() == target.dtype();
    if (same && from.isContiguous() && to.isContiguous()) {
      long bytes = from.shape().elements() * width;
      MemorySegment.copy(in, from.offset() * width, out, to.offset() * width, bytes);
      return;
    }
    long[] sources = Elements.positions(from);
    long[] targets = Elements.positions(to);
    for (int i = 0; i < sources.length; i++) {
      if (same) {
        MemorySegment.copy(in, sources[i] * width, out, targets[i] * width, width);
      } else if (source.dtype().isFloating()) {
        double value = Elements.asDouble(in, source.dtype(), sources[i]);
        Elements.putDouble(out, target.dtype(), targets[i], value);
      } else {
        long value = Elements.asLong(in, source.dtype(), sources[i]);
        Elements.putLong(out, target.dtype(), targets[i], value);
      }
    }
  }
}
