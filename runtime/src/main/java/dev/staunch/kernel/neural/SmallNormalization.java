package dev.staunch.kernel.neural;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The short way for {@code batch_norm} in evaluation mode: small float32 tensors without gaps,
 * shapes already checked. Reads and writes in place of passing through arrays, and computes in
 * doubles as {@link BatchNormalization} does, so the bits are the same.
 */
final class SmallNormalization {
  private static final long MOST = 1 << 15;

  private SmallNormalization() {}

  /** Whether {@link #run} may be run on these; an absent weight or bias is none. */
  static boolean fits(
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      @Nullable DenseTensor mean,
      @Nullable DenseTensor variance) {
    return input.elements() <= MOST
        && isPlain(input)
        && (weight == null || isPlain(weight))
        && (bias == null || isPlain(bias))
        && mean != null
        && isPlain(mean)
        && variance != null
        && isPlain(variance);
  }

  private static boolean isPlain(DenseTensor tensor) {
    return tensor.dtype() == DType.FLOAT32 && tensor.isContiguous();
  }

  /** {@code (input - mean) / sqrt(variance + epsilon) * weight + bias}; or a fault. */
  static Object run(
      Call call,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor mean,
      DenseTensor variance,
      double epsilon) {
    Object made = call.allocate(DType.FLOAT32, input.shape());
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
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
    return result;
  }

  private static double at(DenseTensor tensor, int i) {
    return tensor.segment().getAtIndex(JAVA_FLOAT, tensor.layout().offset() + i);
  }

  /** A single row, one element of each channel. */
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
    int channels = (int) input.elements();
    for (int i = 0; i < channels; i++) {
      double scale = weight == null ? 1 : weights.getAtIndex(JAVA_FLOAT, atWeight + i);
      double shift = bias == null ? 0 : biases.getAtIndex(JAVA_FLOAT, atBias + i);
      scale /= Math.sqrt(variances.getAtIndex(JAVA_FLOAT, atVariance + i) + epsilon);
      double off =
          from.getAtIndex(JAVA_FLOAT, atInput + i)
              - (double) means.getAtIndex(JAVA_FLOAT, atMean + i);
      to.setAtIndex(JAVA_FLOAT, i, (float) (off * scale + shift));
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
    int elements = (int) input.elements();
    for (int start = first; start < elements; start += step) {
      for (int i = start; i < start + run; i++) {
        double value = from.getAtIndex(JAVA_FLOAT, offset + i);
        to.setAtIndex(JAVA_FLOAT, i, (float) ((value - middle) * scale + shift));
      }
    }
  }
}
