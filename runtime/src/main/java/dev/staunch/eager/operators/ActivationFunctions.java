package dev.staunch.eager.operators;

import static dev.staunch.operation.None.NONE;

/**
 * The non-linearities of neural networks, element by element, and the softmax family.
 *
 * <p>Shape and dtype are kept. Floating dtypes only, except that {@code relu}, {@code relu6} and
 * {@code hardtanh} accept integers too; any other dtype is a dtype fault.
 */
public interface ActivationFunctions<T> extends Applicable<T> {

  /** {@code max(x, 0)}. */
  default T relu() {
    return apply("aten::relu", this);
  }

  /** {@code min(max(x, 0), 6)}. */
  default T relu6() {
    return apply("aten::relu6", this);
  }

  /** {@code x}, or {@code negativeSlope * x} below 0. */
  default T leakyRelu(double negativeSlope) {
    return apply("aten::leaky_relu", this, negativeSlope);
  }

  /** {@code x}, or {@code alpha * (exp(x) - 1)} below 0. */
  default T elu(double alpha) {
    return apply("aten::elu", this, alpha, 1L, 1L);
  }

  /** {@link #elu(double)}, scaled so that activations are self-normalising. */
  default T selu() {
    return apply("aten::selu", this);
  }

  /** {@code x}, or {@code alpha * (exp(x / alpha) - 1)} below 0. */
  default T celu(double alpha) {
    return apply("aten::celu", this, alpha);
  }

  /** {@code x} times the cumulative normal distribution function at {@code x}. */
  default T gelu() {
    return apply("aten::gelu", this, "none");
  }

  /** {@code x * sigmoid(x)}. */
  default T silu() {
    return apply("aten::silu", this);
  }

  /** {@code x * tanh(softplus(x))}. */
  default T mish() {
    return apply("aten::mish", this);
  }

  /** {@code 1 / (1 + exp(-x))}; integers give float32. */
  default T sigmoid() {
    return apply("aten::sigmoid", this);
  }

  /** {@code log(sigmoid(x))}, without overflow. */
  default T logSigmoid() {
    return apply("aten::log_sigmoid", this);
  }

  /** {@code min(max(x + 3, 0), 6) / 6}. */
  default T hardsigmoid() {
    return apply("aten::hardsigmoid", this);
  }

  /** {@code x * hardsigmoid(x)}. */
  default T hardswish() {
    return apply("aten::hardswish", this);
  }

  /** {@code x}, clamped to {@code min} and {@code max}. */
  default T hardtanh(double min, double max) {
    return apply("aten::hardtanh", this, min, max);
  }

  /** {@code log(1 + exp(x))}; above 20 it is {@code x}. */
  default T softplus() {
    return apply("aten::softplus", this, 1L, 20L);
  }

  /** Non-negative values that sum to 1 along {@code dim}. */
  default T softmax(long dim) {
    return apply("aten::softmax.int", this, dim, NONE);
  }

  /** {@code log(softmax(x))}, without underflow. */
  default T logSoftmax(long dim) {
    return apply("aten::log_softmax.int", this, dim, NONE);
  }
}
