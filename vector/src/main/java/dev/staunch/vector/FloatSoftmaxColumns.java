package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Softmax along a dimension that is not the last: a vector of neighbouring columns at a time, with
 * a separate maximum and sum in each lane. What rounding adds to a sum is taken off the next
 * element (Kahan), so that the number of rows does not matter.
 */
record FloatSoftmaxColumns(Softmax.Request request, KernelSet others) implements Softmax {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Elements that a thread takes at a time. */
  private static final int PIECE = 1 << 15;

  /** With more rows, too much time would pass between two checks for cancellation. */
  private static final int MOST_ROWS = 1 << 20;

  /** Whether there are enough columns, without gaps. */
  static boolean fits(Request request) {
    Layout input = request.input();
    return request.source() == DType.FLOAT32
        && request.dtype() == DType.FLOAT32
        && input.shape().rank() > 0
        && input.shape().elements() > 0
        && input.shape().size(request.dim()) <= MOST_ROWS
        && input.isContiguous()
        && request.result().isContiguous()
        && columns(request) >= LANES;
  }

  /** The elements between two rows; the stride of a single row may be any number. */
  private static long columns(Request request) {
    Shape shape = request.input().shape();
    long columns = 1;
    for (int dim = request.dim() + 1; dim < shape.rank(); dim++) {
      columns *= shape.size(dim);
    }
    return columns;
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    if (input.segment().isMapped()) {
      return others.softmax(request).run(context, input, result);
    }
    int rows = (int) request.input().shape().size(request.dim());
    long columns = columns(request);
    long groups = (columns + LANES - 1) / LANES; // adjacent vectors
    MemorySegment from = input.segment();
    MemorySegment into = result.segment();
    return context.parallel(
        request.input().shape().elements() / (columns * rows) * groups,
        Math.max(1, PIECE / ((long) rows * LANES)),
        (first, end) -> {
          for (long group = first; group < end; group++) {
            long column = group % groups * LANES;
            long at = group / groups * rows * columns + column;
            long start = (input.layout().offset() + at) * Float.BYTES;
            long target = (result.layout().offset() + at) * Float.BYTES;
            VectorMask<Float> inside = SPECIES.indexInRange(column, columns);
            if (request.logarithm()) {
              logarithms(from, start, into, target, rows, columns * Float.BYTES, inside);
            } else {
              shares(from, start, into, target, rows, columns * Float.BYTES, inside);
            }
          }
          return context.cancelled();
        });
  }

  /** The maximum, ignoring NaN, which shows in the sum. */
  private static FloatVector greatest(
      MemorySegment from, long at, int rows, long step, VectorMask<Float> inside) {
    NativeSegments.require(from);
    FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    for (int row = 0; row < rows; row++) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + row * step, ORDER, inside);
      most = most.blend(x, x.compare(VectorOperators.GT, most));
    }
    return most;
  }

  private static void shares(
      MemorySegment from,
      long at,
      MemorySegment into,
      long to,
      int rows,
      long step,
      VectorMask<Float> inside) {
    NativeSegments.require(from, into);
    FloatVector most = greatest(from, at, rows, step, inside);
    FloatVector sum = FloatVector.zero(SPECIES);
    FloatVector excess = FloatVector.zero(SPECIES);
    for (int row = 0; row < rows; row++) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + row * step, ORDER, inside);
      FloatVector y = FloatFunctions.exp(x.sub(most));
      y.intoMemorySegment(into, to + row * step, ORDER, inside);
      FloatVector more = y.sub(excess);
      FloatVector next = more.add(sum);
      excess = next.sub(sum).sub(more);
      sum = next;
    }
    FloatVector factor = FloatVector.broadcast(SPECIES, 1f).div(sum);
    for (int row = 0; row < rows; row++) {
      FloatVector.fromMemorySegment(SPECIES, into, to + row * step, ORDER, inside)
          .mul(factor)
          .intoMemorySegment(into, to + row * step, ORDER, inside);
    }
  }

  private static void logarithms(
      MemorySegment from,
      long at,
      MemorySegment into,
      long to,
      int rows,
      long step,
      VectorMask<Float> inside) {
    NativeSegments.require(from, into);
    FloatVector most = greatest(from, at, rows, step, inside);
    FloatVector sum = FloatVector.zero(SPECIES);
    FloatVector excess = FloatVector.zero(SPECIES);
    for (int row = 0; row < rows; row++) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + row * step, ORDER, inside);
      FloatVector more = FloatFunctions.exp(x.sub(most)).sub(excess);
      FloatVector next = more.add(sum);
      excess = next.sub(sum).sub(more);
      sum = next;
    }
    float[] sums = sum.toArray();
    for (int i = 0; i < LANES; i++) {
      sums[i] = (float) Math.log(sums[i]);
    }
    FloatVector logarithm = FloatVector.fromArray(SPECIES, sums, 0);
    for (int row = 0; row < rows; row++) {
      FloatVector.fromMemorySegment(SPECIES, from, at + row * step, ORDER, inside)
          .sub(most)
          .sub(logarithm)
          .intoMemorySegment(into, to + row * step, ORDER, inside);
    }
  }
}
