package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for small float32 tensors without gaps. It reads and writes them directly instead
 * of through arrays, and computes in doubles as {@link PlainChannelNormalization} does, so the bits
 * are the same.
 */
final class SmallNormalization {
  private static final long MOST = 1 << 15;

  private SmallNormalization() {}

  /** Whether {@link #run} handles operands of this form. */
  static boolean fits(ChannelNormalization.Request request) {
    return request.dtype() == DType.FLOAT32
        && request.statistics() == DType.FLOAT32
        && request.input().shape().elements() <= MOST
        && isPlain(request.input())
        && isPlain(request.result())
        && isPlain(request.weight())
        && isPlain(request.bias())
        && isPlain(request.mean())
        && isPlain(request.variance());
  }

  private static boolean isPlain(@Nullable Layout layout) {
    return layout == null || layout.isContiguous();
  }

  /** Writes {@code (input - mean) / sqrt(variance + epsilon) * weight + bias}. */
  static void run(
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor mean,
      DenseTensor variance,
      double epsilon,
      DenseTensor result) {
    int channels = (int) input.shape().size(1);
    int run = (int) (input.elements() / channels / input.shape().size(0));
    if (run == 1 && input.shape().size(0) == 1) {
      row(input, result, weight, bias, mean, variance, epsilon);
    } else {
      for (int channel = 0; channel < channels; channel++) {
        double scale = weight == null ? 1 : at(weight, channel);
        double shift = bias == null ? 0 : at(bias, channel);
        scale /= Math.sqrt(at(variance, channel) + epsilon);
        int step = channels * run;
        channel(input, result, channel * run, step, run, at(mean, channel), scale, shift);
      }
    }
  }

  private static double at(DenseTensor tensor, int i) {
    return tensor.segment().getAtIndex(JAVA_FLOAT, tensor.layout().offset() + i);
  }

  /** Processes a single row, one element of each channel. */
  private static void row(
      DenseTensor input,
      DenseTensor result,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor mean,
      DenseTensor variance,
      double epsilon) {
    MemorySegment from = input.segment();
    MemorySegment to = result.segment();
    MemorySegment means = mean.segment();
    MemorySegment variances = variance.segment();
    MemorySegment weights = weight == null ? means : weight.segment();
    MemorySegment biases = bias == null ? means : bias.segment();
    long atInput = input.layout().offset();
    long atMean = mean.layout().offset();
    long atVariance = variance.layout().offset();
    long atWeight = weight == null ? 0 : weight.layout().offset();
    long atBias = bias == null ? 0 : bias.layout().offset();
    long start = result.layout().offset();
    int channels = (int) input.elements();
    for (int i = 0; i < channels; i++) {
      double scale = weight == null ? 1 : weights.getAtIndex(JAVA_FLOAT, atWeight + i);
      double shift = bias == null ? 0 : biases.getAtIndex(JAVA_FLOAT, atBias + i);
      scale /= Math.sqrt(variances.getAtIndex(JAVA_FLOAT, atVariance + i) + epsilon);
      double off =
          from.getAtIndex(JAVA_FLOAT, atInput + i)
              - (double) means.getAtIndex(JAVA_FLOAT, atMean + i);
      to.setAtIndex(JAVA_FLOAT, start + i, (float) (off * scale + shift));
    }
  }

  private static void channel(
      DenseTensor input,
      DenseTensor result,
      int first,
      int step,
      int run,
      double middle,
      double scale,
      double shift) {
    MemorySegment from = input.segment();
    MemorySegment to = result.segment();
    long offset = input.layout().offset();
    long target = result.layout().offset();
    int elements = (int) input.elements();
    for (int start = first; start < elements; start += step) {
      for (int i = start; i < start + run; i++) {
        double value = from.getAtIndex(JAVA_FLOAT, offset + i);
        to.setAtIndex(JAVA_FLOAT, target + i, (float) ((value - middle) * scale + shift));
      }
    }
  }
}
