package dev.staunch.kernel;

import dev.staunch.operation.Operands;

/**
 * An operation whose result, in each channel along dimension 1, is linear in one row of its second
 * parameter, plus an element of its third parameter if that is not None. A later scaling and shift
 * of channels can therefore be folded into these two parameters once.
 */
public interface ChannelSums extends PrimitiveBody {
  /**
   * Whether that holds for operands of these forms; for other forms the channels are in another
   * dimension.
   */
  boolean sumsChannels(Operands operands);
}
