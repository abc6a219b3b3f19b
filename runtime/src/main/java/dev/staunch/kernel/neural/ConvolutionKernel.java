package dev.staunch.kernel.neural;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.operation.Operands;
import java.util.function.Predicate;

/** A convolution over one or two dimensions. */
record ConvolutionKernel(ConvolutionCall.Reading reading) implements Kernel.One, ChannelSums {

  @Override
  public Object run(Call call) {
    return ConvolutionCall.run(call, reading);
  }

  /** Not without a batch, because dimension 1 is then a dimension of the image. */
  @Override
  public boolean sumsChannels(Operands operands) {
    return operands.rank(0) == operands.rank(1);
  }

  /**
   * A convolution that is made of other operations in some cases.
   *
   * @param composed tells which cases those are
   */
  record General(ConvolutionKernel plain, Composite others, Predicate<Operands> composed)
      implements Kernel.One, ChannelSums {

    @Override
    public Object run(Call call) {
      return composed.test(call) ? others.run(call) : plain.run(call);
    }

    @Override
    public boolean sumsChannels(Operands operands) {
      return !composed.test(operands) && plain.sumsChannels(operands);
    }
  }
}
