package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Softmax of float32 rows, or its logarithm: first the maximum, then the sum, then the result. */
record FloatSoftmax(Request request, KernelSet others) implements Softmax {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Elements per piece that other threads may take. */
  private static final long PIECE = 1 << 14;

  /** Elements that are summed in float32; the sums of these are added up in double precision. */
  private static final int SUMMED = 1 << 11;

  /** Returns this softmax, or another one if its rows are not contiguous or not float32. */
  static Softmax of(Request request, KernelSet others) {
    Layout input = request.input();
    boolean fits =
        request.source() == DType.FLOAT32
            && request.dtype() == DType.FLOAT32
            && input.shape().elements() > 0
            && request.dim() == input.shape().rank() - 1
            && input.shape().size(request.dim()) < 1 << 28
            && input.isContiguous()
            && request.result().isContiguous();
    if (fits) {
      return new FloatSoftmax(request, others);
    }
    return FloatSoftmaxColumns.fits(request)
        ? new FloatSoftmaxColumns(request, others)
        : others.softmax(request);
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    if (input.segment().isMapped()) {
      return others.softmax(request).run(context, input, result);
    }
    int width = (int) request.input().shape().size(request.dim());
    MemorySegment from = input.segment();
    MemorySegment into = result.segment();
    long start = input.layout().offset() * Float.BYTES;
    long target = result.layout().offset() * Float.BYTES;
    return context.parallel(
        request.input().shape().elements() / width,
        Math.max(1, PIECE / width),
        (first, end) -> {
          for (long row = first; row < end; row++) {
            long at = row * width * Float.BYTES;
            row(from, start + at, into, target + at, width);
          }
          return context.cancelled();
        });
  }

  private void row(MemorySegment from, long at, MemorySegment into, long to, int width) {
    float greatest = greatest(from, at, width);
    double sum = 0;
    for (int i = 0; i < width; i += SUMMED) {
      int count = Math.min(SUMMED, width - i);
      sum += exponentials(from, at + i * 4L, greatest, into, to + i * 4L, count);
    }
    if (request.logarithm()) {
      subtract(from, at, greatest, (float) Math.log(sum), into, to, width);
    } else {
      scale(into, to, (float) (1 / sum), width);
    }
  }

  /** The maximum, ignoring NaN, which shows in the sum. */
  private static float greatest(MemorySegment from, long at, int width) {
    NativeSegments.require(from);
    FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER);
      most = most.blend(x, x.compare(VectorOperators.GT, most));
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + whole * 4L, ORDER, rest);
      most = most.blend(x, x.compare(VectorOperators.GT, most, rest));
    }
    return most.reduceLanes(VectorOperators.MAX);
  }

  /** Writes e to the power of each element less the maximum; returns the sum. */
  private static float exponentials(
      MemorySegment from, long at, float greatest, MemorySegment into, long to, int width) {
    NativeSegments.require(from, into);
    FloatVector sum = FloatVector.zero(SPECIES);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER);
      FloatVector y = FloatFunctions.exp(x.sub(greatest));
      y.intoMemorySegment(into, to + i * 4L, ORDER);
      sum = y.add(sum);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + whole * 4L, ORDER, rest);
      FloatVector y = FloatFunctions.exp(x.sub(greatest));
      y.intoMemorySegment(into, to + whole * 4L, ORDER, rest);
      sum = sum.add(y, rest);
    }
    return FloatLanes.sum(sum);
  }

  private static void scale(MemorySegment row, long at, float factor, int width) {
    NativeSegments.require(row);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, row, at + i * 4L, ORDER)
          .mul(factor)
          .intoMemorySegment(row, at + i * 4L, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector.fromMemorySegment(SPECIES, row, at + whole * 4L, ORDER, rest)
          .mul(factor)
          .intoMemorySegment(row, at + whole * 4L, ORDER, rest);
    }
  }

  private static void subtract(
      MemorySegment from,
      long at,
      float greatest,
      float logarithm,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    for (int i = 0; i < width; i += LANES) {
      VectorMask<Float> inside = SPECIES.indexInRange(i, width);
      FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER, inside)
          .sub(greatest)
          .sub(logarithm)
          .intoMemorySegment(into, to + i * 4L, ORDER, inside);
    }
  }
}
