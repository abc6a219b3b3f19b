package dev.staunch.kernel;

import dev.staunch.operation.Operands;

/**
 * Each channel of its result, along dimension 1, is what a row of its second parameter gives, plus
 * an element of its third if that is not None. So whoever scales and shifts channels afterwards may
 * do that to these two parameters, once.
 */
public interface ChannelSums extends PrimitiveBody {
  /** Whether that holds for operands of these forms: of others channels lie elsewhere. */
  boolean sumsChannels(Operands operands);
}
