package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;

/** Copies elements between layouts and dtypes. */
final class Copying {
  private static final int TILE = 1024;

  private Copying() {}

  /** A row-major copy in {@code dtype}; or a fault. */
  static Object toContiguous(Call call, DenseTensor source, DType dtype) {
    Fault fault = uncastable(source.dtype(), dtype);
    Object made = fault == null ? call.allocate(dtype, source.shape()) : fault;
    if (made instanceof DenseTensor target) {
      copy(source, source.layout(), target, target.layout());
    }
    return made;
  }

  /** A copy in {@code dtype} that keeps the strides of a source without gaps; or a fault. */
  static Object preserving(Call call, DenseTensor source, DType dtype) {
    Fault fault = uncastable(source.dtype(), dtype);
    Object made = fault == null ? DenseStrides.allocateLike(call, source, dtype) : fault;
    if (made instanceof DenseTensor target) {
      copy(source, source.layout(), target, target.layout());
    }
    return made;
  }

  /** The fault of casting from or to complex numbers, or null. */
  static @org.jspecify.annotations.Nullable Fault uncastable(DType from, DType to) {
    boolean complex = from.kind() == DType.Kind.COMPLEX || to.kind() == DType.Kind.COMPLEX;
    return from != to && complex
        ? Fault.unsupported("a cast from " + from + " to " + to + " is not implemented")
        : null;
  }

  /** Copies the elements of one layout of {@code source} to one of {@code target}, in order. */
  static void copy(DenseTensor source, Layout from, DenseTensor target, Layout to) {
    if (from.shape().elements() == 0) {
      return;
    }
    Strides walk = Strides.of(to, from);
    long[] at = walk.start();
    long[] index = walk.index();
    boolean same = source.dtype() == target.dtype();
    int tile = same ? 0 : (int) Math.min(TILE, walk.width());
    double[] reals = new double[source.dtype().isFloating() ? tile : 0];
    long[] integers = new long[source.dtype().isFloating() ? 0 : tile];
    do {
      if (same) {
        copyRow(source, target, walk, at);
      } else {
        castRow(Operand.of(source), Operand.of(target), walk, at, reals, integers);
      }
    } while (walk.next(index, at));
  }

  private static void copyRow(DenseTensor source, DenseTensor target, Strides walk, long[] at) {
    int bytes = source.dtype().bytes();
    MemorySegment in = source.segment();
    MemorySegment out = target.segment();
    boolean whole = walk.step(0) == 1 && walk.step(1) == 1;
    long width = walk.width();
    long block = whole ? width * bytes : bytes;
    for (long i = 0; i < (whole ? 1 : width); i++) {
      long from = at[1] + i * walk.step(1);
      long to = at[0] + i * walk.step(0);
      MemorySegment.copy(in, from * bytes, out, to * bytes, block);
    }
  }

  private static void castRow(
      Operand source, Operand target, Strides walk, long[] at, double[] reals, long[] integers) {
    for (long done = 0; done < walk.width(); done += TILE) {
      int count = (int) Math.min(TILE, walk.width() - done);
      long from = at[1] + done * walk.step(1);
      long to = at[0] + done * walk.step(0);
      if (source.dtype().isFloating()) {
        source.load(reals, from, walk.step(1), count);
        target.store(reals, to, walk.step(0), count);
      } else {
        source.load(integers, from, walk.step(1), count);
        target.store(integers, to, walk.step(0), count);
      }
    }
  }
}
