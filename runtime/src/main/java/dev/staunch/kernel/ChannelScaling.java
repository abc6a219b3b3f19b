package dev.staunch.kernel;

import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** Each channel of its first operand, along dimension 1, is scaled and shifted. */
public interface ChannelScaling extends PrimitiveBody {
  /** Whether it does no more than that, as far as arguments say that are no tensors. */
  boolean scalesOnly(Operands operands);

  /**
   * The weight and bias with which {@link ChannelSums} give what this would make of those that
   * {@code weight} and {@code bias} give.
   *
   * @param call this operation's; its first argument is not looked at
   * @param bias null for none
   * @return both, as new tensors; or a fault if this does more than {@linkplain #scalesOnly
   *     scaling}, parameters do not fit, or a folded element would be no finite number
   */
  Object folded(Call call, DenseTensor weight, @Nullable DenseTensor bias);

  /** What {@link #folded} gives. */
  record Parameters(DenseTensor weight, DenseTensor bias) {}
}
