package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies elements between layouts and dtypes. */
public final class Copying {
  private static final int TILE = 1024;

  private Copying() {}

  /** A row-major copy in {@code dtype}; or a fault. */
  public static Object toContiguous(Call call, DenseTensor source, DType dtype) {
    Fault fault = uncastable(source.dtype(), dtype);
    Object made = fault == null ? call.allocate(dtype, source.shape()) : fault;
    return made instanceof DenseTensor target
        ? Lookout.finished(target, copy(call, source, target))
        : made;
  }

  /** A copy in {@code dtype} that keeps the strides of a source without gaps; or a fault. */
  public static Object preserving(Call call, DenseTensor source, DType dtype) {
    Fault fault = uncastable(source.dtype(), dtype);
    Object made = fault == null ? DenseStrides.allocateLike(call, source, dtype) : fault;
    return made instanceof DenseTensor target
        ? Lookout.finished(target, copy(call, source, target))
        : made;
  }

  /** The fault of casting from or to complex numbers, or null. */
  public static @Nullable Fault uncastable(DType from, DType to) {
    boolean complex = from.kind() == DType.Kind.COMPLEX || to.kind() == DType.Kind.COMPLEX;
    return from != to && complex
        ? Fault.unsupported(
            "a cast from "
                + from
                + " to "
                + to
                + " is not implemented"
                + (to.kind() == DType.Kind.COMPLEX ? "" : "; take its part with `real` or `imag`"))
        : null;
  }

  /** Copies all elements, in order; the fault of a cancellation, or null. */
  public static @Nullable Fault copy(Call call, DenseTensor source, DenseTensor target) {
    return copy(new Lookout(call), source, source.layout(), target, target.layout());
  }

  /** As {@link #copy(Call, DenseTensor, DenseTensor)}, from one layout to another. */
  public static @Nullable Fault copy(
      Lookout lookout, DenseTensor source, Layout from, DenseTensor target, Layout to) {
    if (from.shape().elements() == 0) {
      return null;
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
        copyRow(lookout, source, target, walk, at);
      } else {
        Operand in = Operand.of(source);
        castRow(lookout, in, Operand.of(target), walk, at, reals, integers);
      }
    } while (lookout.fault() == null && walk.next(index, at));
    return lookout.fault();
  }

  private static void copyRow(
      Lookout lookout, DenseTensor source, DenseTensor target, Strides walk, long[] at) {
    int bytes = source.dtype().bytes();
    MemorySegment in = source.segment();
    MemorySegment out = target.segment();
    long width = walk.width();
    if (walk.step(0) == 1 && walk.step(1) == 1) {
      lookout.copy(in, at[1] * bytes, out, at[0] * bytes, width * bytes);
      return;
    }
    lookout.inPieces(
        width,
        (first, count) -> {
          for (long i = first; i < first + count; i++) {
            element(in, at[1] + i * walk.step(1), out, at[0] + i * walk.step(0), bytes);
          }
        });
  }

  /** Copies one element of {@code bytes} bytes; the places count elements. */
  public static void element(MemorySegment from, long at, MemorySegment into, long to, int bytes) {
    switch (bytes) {
      case 1 -> into.set(JAVA_BYTE, to, from.get(JAVA_BYTE, at));
      case 2 -> into.setAtIndex(JAVA_SHORT, to, from.getAtIndex(JAVA_SHORT, at));
      case 4 -> into.setAtIndex(JAVA_INT, to, from.getAtIndex(JAVA_INT, at));
      case 8 -> into.setAtIndex(JAVA_LONG, to, from.getAtIndex(JAVA_LONG, at));
      default -> MemorySegment.copy(from, at * bytes, into, to * bytes, bytes);
    }
  }

  private static void castRow(
      Lookout lookout,
      Operand source,
      Operand target,
      Strides walk,
      long[] at,
      double[] reals,
      long[] integers) {
    lookout.inPieces(
        walk.width(),
        TILE,
        (done, count) -> {
          long from = at[1] + done * walk.step(1);
          long to = at[0] + done * walk.step(0);
          if (source.dtype().isFloating()) {
            source.load(reals, from, walk.step(1), count);
            target.store(reals, to, walk.step(0), count);
          } else {
            source.load(integers, from, walk.step(1), count);
            target.store(integers, to, walk.step(0), count);
          }
        });
  }
}
