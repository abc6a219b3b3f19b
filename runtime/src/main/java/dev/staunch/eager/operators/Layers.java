package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.eager.operators.Arguments.optional;
import static dev.staunch.operation.None.NONE;

import org.jspecify.annotations.Nullable;

/**
 * The layers of a neural network, as functions of inputs and weights.
 *
 * <p>This tensor is the input, with the batch dimension first. Weights and biases must have its
 * dtype (float32 or float64); otherwise the call is a dtype fault that names the cast to apply.
 * Sizes that do not match are shape faults. A null bias, weight or statistic is left out.
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
   * As {@link #conv2d(Tensor, Tensor)}, with one number for each spatial dimension and weight
   * {@code [out, in / groups, kh, kw]}.
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
   * Normalises each channel (dimension 1) with the given statistics or, in training, with those of
   * the batch. In training it also updates the running statistics in place; they stay as they were
   * if the call fails. All four tensors are {@code [channels]}, in the order of PyTorch's {@code
   * functional.batch_norm}.
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

  /** Normalises over the last dimensions, whose sizes must be {@code normalizedShape}. */
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
   * Looks up the rows of {@code weight} with these integer ids: {@code [...]} becomes {@code [...,
   * width]}; an id out of range is an index fault.
   */
  default T embedding(T weight) {
    return apply("aten::embedding", weight, this, -1L, false, false);
  }

  /**
   * In training, sets each element to 0 with probability {@code p} and divides the others by {@code
   * 1 - p}; otherwise returns a view of this.
   */
  default T dropout(double p, boolean training) {
    return apply("aten::dropout", this, p, training);
  }

  /** The maximum of each window of the last dimension. */
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
   * The maximum of each window of the last two dimensions; an empty stride means the kernel's size.
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

  /**
   * The mean of each window of the last two dimensions; an empty stride means the kernel's size.
   */
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

  /** Means over windows chosen so that the last two dimensions get these sizes. */
  default T adaptiveAvgPool2d(long height, long width) {
    return apply("aten::adaptive_avg_pool2d", this, longs(height, width));
  }

  /**
   * Pads with {@code value}: before and behind the last dimension, then the one before it, and so
   * on; negative widths crop.
   */
  default T pad(long[] widths, double value) {
    return apply("aten::constant_pad_nd", this, longs("widths", widths), value);
  }

  /** As {@link #pad(long[], double)}. */
  default T pad(long[] widths, long value) {
    return apply("aten::constant_pad_nd", this, longs("widths", widths), value);
  }

  /**
   * The mean cross entropy of logits {@code [n, classes, ...]}: with int64 class ids {@code [n,
   * ...]}, of which -100 does not count, or with probabilities in the shape of the logits.
   */
  default T crossEntropy(T target) {
    return apply("aten::cross_entropy_loss", this, target, NONE, 1L, -100L, 0.0);
  }

  /**
   * Turns int64 class ids into rows with a single 1; {@code classes} -1 derives the number from the
   * greatest id.
   */
  default T oneHot(long classes) {
    return apply("aten::one_hot", this, classes);
  }
}
