package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.eager.operators.Arguments.optional;
import static dev.staunch.operation.None.NONE;

import org.jspecify.annotations.Nullable;

/**
 * What the layers of a neural network compute from inputs and weights.
 *
 * <p>This is the input, a batch first; weights and biases have its dtype (float32 or float64), else
 * a dtype fault with the cast that mends it. Sizes that do not fit are shape faults. A null bias,
 * weight or statistic is left out.
 */
public interface Layers<T> extends Applicable<T> {

  /**
   * {@code [..., in]} with weight {@code [out, in]} and bias {@code [out]} is {@code [..., out]}.
   */
  default T linear(T weight, @Nullable T bias) {
    return apply("aten::linear", this, weight, optional(bias));
  }

  /** {@code [n, in, width]} with weight {@code [out, in, kernel]} is {@code [n, out, width']}. */
  default T conv1d(T weight, @Nullable T bias, long stride, long padding) {
    return apply(
        "aten::conv1d", this, weight, optional(bias), longs(stride), longs(padding), longs(1), 1L);
  }

  /**
   * {@code [n, in, h, w]} with weight {@code [out, in, kh, kw]} is {@code [n, out, h', w']}; stride
   * 1, no padding.
   */
  default T conv2d(T weight, @Nullable T bias) {
    return apply(
        "aten::conv2d", this, weight, optional(bias), longs(1, 1), longs(0, 0), longs(1, 1), 1L);
  }

  /**
   * As {@link #conv2d(Tensor, Tensor)}; one number for each spatial dimension, weight {@code [out,
   * in / groups, kh, kw]}.
   */
  default T conv2d(
      T weight, @Nullable T bias, long[] stride, long[] padding, long[] dilation, long groups) {
    return apply(
        "aten::conv2d",
        this,
        weight,
        optional(bias),
        longs("stride", stride),
        longs("padding", padding),
        longs("dilation", dilation),
        groups);
  }

  /**
   * Normalises each channel (dimension 1): by the statistics given, or in training by the batch's
   * own, which then move the running ones in place; those stay as they were if the call fails. All
   * four tensors are {@code [channels]}, in the order of PyTorch's {@code functional.batch_norm}.
   *
   * @param runningMean the mean of each channel
   * @param runningVar the variance of each channel
   * @param weight the factor of each channel after normalising
   * @param bias what is added to each channel at the end
   * @param momentum the share of the batch in the new running statistics
   * @param eps what is added to the variance
   */
  default T batchNorm(
      @Nullable T runningMean,
      @Nullable T runningVar,
      @Nullable T weight,
      @Nullable T bias,
      boolean training,
      double momentum,
      double eps) {
    return apply(
        "aten::batch_norm",
        this,
        optional(weight),
        optional(bias),
        optional(runningMean),
        optional(runningVar),
        training,
        momentum,
        eps,
        false);
  }

  /** Normalises over the last dimensions, which must be {@code normalizedShape}. */
  default T layerNorm(long[] normalizedShape, @Nullable T weight, @Nullable T bias, double eps) {
    return apply(
        "aten::layer_norm",
        this,
        longs("normalizedShape", normalizedShape),
        optional(weight),
        optional(bias),
        eps,
        true);
  }

  /**
   * The rows of {@code weight} that these integer ids name: {@code [...]} is {@code [..., width]};
   * an id out of range is an index fault.
   */
  default T embedding(T weight) {
    return apply("aten::embedding", weight, this, -1L, false, false);
  }

  /**
   * In training each element is 0 with probability {@code p}, else divided by {@code 1 - p};
   * otherwise a view of this.
   */
  default T dropout(double p, boolean training) {
    return apply("aten::dropout", this, p, training);
  }

  /** The greatest of each window of the last dimension. */
  default T maxPool1d(long kernelSize, long stride, long padding) {
    return apply(
        "aten::max_pool1d",
        this,
        longs(kernelSize),
        longs(stride),
        longs(padding),
        longs(1),
        false);
  }

  /**
   * The greatest of each window of the last two dimensions; an empty stride is the kernel's size.
   */
  default T maxPool2d(long[] kernelSize, long[] stride, long[] padding) {
    return apply(
        "aten::max_pool2d",
        this,
        longs("kernelSize", kernelSize),
        longs("stride", stride),
        longs("padding", padding),
        longs(1, 1),
        false);
  }

  /** The mean of each window of the last two dimensions; an empty stride is the kernel's size. */
  default T avgPool2d(long[] kernelSize, long[] stride, long[] padding) {
    return apply(
        "aten::avg_pool2d",
        this,
        longs("kernelSize", kernelSize),
        longs("stride", stride),
        longs("padding", padding),
        false,
        true,
        NONE);
  }

  /** Means of windows chosen so that the last two dimensions become these. */
  default T adaptiveAvgPool2d(long height, long width) {
    return apply("aten::adaptive_avg_pool2d", this, longs(height, width));
  }

  /**
   * Adds {@code value} around: before and behind the last dimension, then the one in front of it,
   * and so on; negative widths cut.
   */
  default T pad(long[] widths, double value) {
    return apply("aten::constant_pad_nd", this, longs("widths", widths), value);
  }

  /** As {@link #pad(long[], double)}. */
  default T pad(long[] widths, long value) {
    return apply("aten::constant_pad_nd", this, longs("widths", widths), value);
  }

  /** int64 class ids as rows with a single 1; {@code classes} -1 takes the greatest id's. */
  default T oneHot(long classes) {
    return apply("aten::one_hot", this, classes);
  }
}
