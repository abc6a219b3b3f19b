package dev.staunch.kernel;

import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** An operation that scales and shifts each channel of its first operand, along dimension 1. */
public interface ChannelScaling extends PrimitiveBody {
  /** Whether it does nothing else, as far as the arguments that are not tensors tell. */
  boolean scalesOnly(Operands operands);

  /**
   * Folds this operation into the parameters of a {@link ChannelSums} operation: with the returned
   * weight and bias, that operation computes what this one would make of its result with {@code
   * weight} and {@code bias}.
   *
   * @param call this operation's call; its first argument is not read
   * @param bias null for none
   * @return both, as new tensors; or a fault if this does more than {@linkplain #scalesOnly
   *     scaling}, if the parameters do not fit, or if a folded element would not be finite
   */
  Object folded(Call call, DenseTensor weight, @Nullable DenseTensor bias);

  /** The result of {@link #folded}. */
  record Parameters(DenseTensor weight, DenseTensor bias) {}
}
