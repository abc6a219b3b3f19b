package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/** Layer normalisation of float32 rows: first the mean, then the variance around it. */
record FloatRowNormalization(Request request, KernelSet others, int width)
    implements RowNormalization {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Elements per piece that other threads may take. */
  private static final long PIECE = 1 << 14;

  /** Elements that are summed in float32; the sums of these are added up in double precision. */
  private static final int SUMMED = 1 << 11;

  /**
   * Returns this normalisation, or that of {@code others} if an operand is not contiguous or not
   * float32.
   */
  static RowNormalization of(Request request, KernelSet others) {
    Layout input = request.input();
    boolean fits =
        request.dtype() == DType.FLOAT32
            && input.shape().elements() > 0
            && isTogether(input)
            && isTogether(request.result())
            && isTogether(request.weight())
            && isTogether(request.bias());
    if (!fits) {
      return others.rowNormalization(request);
    }
    long width = 1;
    for (int dim = 1; dim <= request.dims(); dim++) {
      width *= input.shape().size(input.shape().rank() - dim);
    }
    return width < 1 << 28
        ? new FloatRowNormalization(request, others, (int) width)
        : others.rowNormalization(request);
  }

  private static boolean isTogether(@Nullable Layout layout) {
    return layout == null || layout.isContiguous();
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    if (isMapped(input) || isMapped(weight) || isMapped(bias)) {
      return others.rowNormalization(request).run(context, input, weight, bias, result);
    }
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
            float mean = (float) (sum(from, start + at, width) / width);
            double variance = squares(from, start + at, mean, width) / width;
            float factor = (float) (1 / Math.sqrt(variance + request.epsilon()));
            normalize(from, start + at, mean, factor, into, target + at, width);
            if (weight != null) {
              long weightAt = weight.layout().offset() * Float.BYTES;
              multiply(into, target + at, weight.segment(), weightAt, width);
            }
            if (bias != null) {
              add(into, target + at, bias.segment(), bias.layout().offset() * Float.BYTES, width);
            }
          }
          return context.cancelled();
        });
  }

  private static boolean isMapped(@Nullable DenseTensor tensor) {
    return tensor != null && tensor.segment().isMapped();
  }

  private static double sum(MemorySegment from, long at, int width) {
    double sum = 0;
    for (int i = 0; i < width; i += SUMMED) {
      sum += part(from, at + i * 4L, Math.min(SUMMED, width - i));
    }
    return sum;
  }

  private static float part(MemorySegment from, long at, int width) {
    NativeSegments.require(from);
    FloatVector sum = FloatVector.zero(SPECIES);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      sum = FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER).add(sum);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      sum = sum.add(FloatVector.fromMemorySegment(SPECIES, from, at + whole * 4L, ORDER, rest));
    }
    return FloatLanes.sum(sum);
  }

  private static double squares(MemorySegment from, long at, float mean, int width) {
    double sum = 0;
    for (int i = 0; i < width; i += SUMMED) {
      sum += squaresOfPart(from, at + i * 4L, mean, Math.min(SUMMED, width - i));
    }
    return Double.isInfinite(sum) ? wideSquares(from, at, mean, width) : sum;
  }

  private static float squaresOfPart(MemorySegment from, long at, float mean, int width) {
    NativeSegments.require(from);
    FloatVector sum = FloatVector.zero(SPECIES);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER).sub(mean);
      sum = x.fma(x, sum);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, at + whole * 4L, ORDER, rest);
      x = x.sub(mean, rest);
      sum = x.fma(x, sum);
    }
    return FloatLanes.sum(sum);
  }

  /** As {@link #squares}, for numbers whose squares are too large for float32. */
  private static double wideSquares(MemorySegment from, long at, float mean, int width) {
    double sum = 0;
    for (int i = 0; i < width; i++) {
      double x = from.get(JAVA_FLOAT, at + i * 4L) - mean;
      sum += x * x;
    }
    return sum;
  }

  private static void normalize(
      MemorySegment from,
      long at,
      float mean,
      float factor,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, from, at + i * 4L, ORDER)
          .sub(mean)
          .mul(factor)
          .intoMemorySegment(into, to + i * 4L, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector.fromMemorySegment(SPECIES, from, at + whole * 4L, ORDER, rest)
          .sub(mean)
          .mul(factor)
          .intoMemorySegment(into, to + whole * 4L, ORDER, rest);
    }
  }

  private static void multiply(
      MemorySegment row, long at, MemorySegment factors, long from, int width) {
    NativeSegments.require(row, factors);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, row, at + i * 4L, ORDER)
          .mul(FloatVector.fromMemorySegment(SPECIES, factors, from + i * 4L, ORDER))
          .intoMemorySegment(row, at + i * 4L, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector.fromMemorySegment(SPECIES, row, at + whole * 4L, ORDER, rest)
          .mul(FloatVector.fromMemorySegment(SPECIES, factors, from + whole * 4L, ORDER, rest))
          .intoMemorySegment(row, at + whole * 4L, ORDER, rest);
    }
  }

  private static void add(MemorySegment row, long at, MemorySegment addends, long from, int width) {
    NativeSegments.require(row, addends);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, row, at + i * 4L, ORDER)
          .add(FloatVector.fromMemorySegment(SPECIES, addends, from + i * 4L, ORDER))
          .intoMemorySegment(row, at + i * 4L, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      FloatVector.fromMemorySegment(SPECIES, row, at + whole * 4L, ORDER, rest)
          .add(FloatVector.fromMemorySegment(SPECIES, addends, from + whole * 4L, ORDER, rest))
          .intoMemorySegment(row, at + whole * 4L, ORDER, rest);
    }
  }
}
