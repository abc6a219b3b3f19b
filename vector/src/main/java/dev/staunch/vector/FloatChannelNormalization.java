package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Normalisation of float32 channels: combines four parameters into a factor and an addend, then
 * needs one multiplication per element.
 */
record FloatChannelNormalization(Request request, KernelSet others, int channels, int pixels)
    implements ChannelNormalization {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Elements per piece that other threads may take. */
  private static final long PIECE = 1 << 17;

  /**
   * Returns this normalisation, or that of {@code others} if an operand is not contiguous or not
   * float32.
   */
  static ChannelNormalization of(Request request, KernelSet others) {
    Shape input = request.input().shape();
    boolean rowMajor = request.input().isContiguous() && request.result().isContiguous();
    boolean last = request.input().isChannelsLast() && request.result().isChannelsLast();
    boolean fits =
        request.dtype() == DType.FLOAT32
            && (request.statistics() == DType.FLOAT32 || request.statistics() == DType.FLOAT64)
            && input.elements() > 0
            && input.elements() < 1 << 30
            && (rowMajor || last)
            && request.mean().isContiguous()
            && request.variance().isContiguous()
            && (request.weight() == null || request.weight().isContiguous())
            && (request.bias() == null || request.bias().isContiguous());
    if (!fits) {
      return others.channelNormalization(request);
    }
    int channels = (int) input.size(1);
    int pixels = rowMajor ? (int) (input.elements() / input.size(0) / channels) : 1;
    return new FloatChannelNormalization(request, others, channels, pixels);
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor mean,
      DenseTensor variance,
      DenseTensor result) {
    if (isMapped(input, weight, bias, mean, variance)) {
      return others
          .channelNormalization(request)
          .run(context, input, weight, bias, mean, variance, result);
    }
    Object made = DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(2L * channels));
    if (!(made instanceof DenseTensor scratch)) {
      return (Fault) made;
    }
    try {
      long bytes = channels * (long) Float.BYTES;
      MemorySegment factors = scratch.segment().asSlice(at(scratch), bytes);
      MemorySegment addends = scratch.segment().asSlice(at(scratch) + bytes, bytes);
      start(weight, 1, factors);
      start(bias, 0, addends);
      if (request.statistics() == DType.FLOAT64) {
        combine(mean, variance, request.epsilon(), factors, addends);
      } else {
        combine(
            mean.segment(),
            at(mean),
            variance.segment(),
            at(variance),
            (float) request.epsilon(),
            factors,
            addends,
            channels);
      }
      return run(context, input, factors, addends, result);
    } finally {
      scratch.close();
    }
  }

  private static boolean isMapped(@Nullable DenseTensor... tensors) {
    for (DenseTensor tensor : tensors) {
      if (tensor != null && tensor.segment().isMapped()) {
        return true;
      }
    }
    return false;
  }

  /** The position of a tensor's first element, in bytes. */
  private static long at(DenseTensor tensor) {
    return tensor.layout().offset() * Float.BYTES;
  }

  private static void start(@Nullable DenseTensor parameter, float absent, MemorySegment into) {
    if (parameter != null) {
      MemorySegment.copy(parameter.segment(), at(parameter), into, 0, into.byteSize());
    } else {
      for (long at = 0; at < into.byteSize(); at += Float.BYTES) {
        into.set(ValueLayout.JAVA_FLOAT, at, absent);
      }
    }
  }

  private @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      MemorySegment factors,
      MemorySegment addends,
      DenseTensor result) {
    MemorySegment from = input.segment();
    MemorySegment into = result.segment();
    long start = at(input);
    long target = at(result);
    // A row is what is contiguous: the channels of a pixel if they come last or there is one pixel,
    // otherwise the pixels of a channel.
    int width = pixels == 1 ? channels : pixels;
    return context.parallel(
        request.input().shape().elements() / width,
        Math.max(1, PIECE / width),
        (first, end) -> {
          for (long row = first; row < end; row++) {
            long shift = row * width * Float.BYTES;
            if (pixels == 1) {
              row(from, start + shift, factors, addends, into, target + shift, width);
            } else {
              long place = row % channels * Float.BYTES;
              float factor = factors.get(ValueLayout.JAVA_FLOAT, place);
              float addend = addends.get(ValueLayout.JAVA_FLOAT, place);
              plane(from, start + shift, factor, addend, into, target + shift, width);
            }
          }
          return context.cancelled();
        });
  }

  /**
   * Turns weights into the factors of the input, and biases into addends, which include the mean.
   */
  private static void combine(
      MemorySegment mean,
      long meanAt,
      MemorySegment variance,
      long varianceAt,
      float epsilon,
      MemorySegment factors,
      MemorySegment addends,
      int count) {
    for (int i = 0; i < count; i += LANES) {
      VectorMask<Float> inside = SPECIES.indexInRange(i, count);
      long shift = i * (long) Float.BYTES;
      FloatVector spread =
          FloatVector.fromMemorySegment(SPECIES, variance, varianceAt + shift, ORDER, inside)
              .add(epsilon)
              .sqrt();
      FloatVector factor =
          FloatVector.fromMemorySegment(SPECIES, factors, shift, ORDER, inside).div(spread);
      FloatVector middle =
          FloatVector.fromMemorySegment(SPECIES, mean, meanAt + shift, ORDER, inside);
      FloatVector addend =
          FloatVector.fromMemorySegment(SPECIES, addends, shift, ORDER, inside)
              .sub(middle.mul(factor));
      factor.intoMemorySegment(factors, shift, ORDER, inside);
      addend.intoMemorySegment(addends, shift, ORDER, inside);
    }
  }

  /** As the other, from statistics in doubles. */
  private static void combine(
      DenseTensor mean,
      DenseTensor variance,
      double epsilon,
      MemorySegment factors,
      MemorySegment addends) {
    for (int i = 0; i < mean.elements(); i++) {
      double spread =
          Math.sqrt(
              variance.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, variance.layout().offset() + i)
                  + epsilon);
      float factor = (float) (factors.getAtIndex(ValueLayout.JAVA_FLOAT, i) / spread);
      double addend =
          addends.getAtIndex(ValueLayout.JAVA_FLOAT, i)
              - mean.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, mean.layout().offset() + i)
                  * factor;
      factors.setAtIndex(ValueLayout.JAVA_FLOAT, i, factor);
      addends.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) addend);
    }
  }

  private static void row(
      MemorySegment from,
      long at,
      MemorySegment factors,
      MemorySegment addends,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      long shift = i * (long) Float.BYTES;
      FloatVector.fromMemorySegment(SPECIES, from, at + shift, ORDER)
          .fma(
              FloatVector.fromMemorySegment(SPECIES, factors, shift, ORDER),
              FloatVector.fromMemorySegment(SPECIES, addends, shift, ORDER))
          .intoMemorySegment(into, to + shift, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      long shift = whole * (long) Float.BYTES;
      FloatVector.fromMemorySegment(SPECIES, from, at + shift, ORDER, rest)
          .fma(
              FloatVector.fromMemorySegment(SPECIES, factors, shift, ORDER, rest),
              FloatVector.fromMemorySegment(SPECIES, addends, shift, ORDER, rest))
          .intoMemorySegment(into, to + shift, ORDER, rest);
    }
  }

  private static void plane(
      MemorySegment from,
      long at,
      float factor,
      float addend,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    FloatVector times = FloatVector.broadcast(SPECIES, factor);
    FloatVector plus = FloatVector.broadcast(SPECIES, addend);
    int whole = SPECIES.loopBound(width);
    for (int i = 0; i < whole; i += LANES) {
      long shift = i * (long) Float.BYTES;
      FloatVector.fromMemorySegment(SPECIES, from, at + shift, ORDER)
          .fma(times, plus)
          .intoMemorySegment(into, to + shift, ORDER);
    }
    if (whole < width) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
      long shift = whole * (long) Float.BYTES;
      FloatVector.fromMemorySegment(SPECIES, from, at + shift, ORDER, rest)
          .fma(times, plus)
          .intoMemorySegment(into, to + shift, ORDER, rest);
    }
  }
}
