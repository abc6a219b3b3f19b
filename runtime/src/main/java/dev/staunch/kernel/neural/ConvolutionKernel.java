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

  /** Not without a batch: dimension 1 is the image's then. */
  @Override
  public boolean sumsChannels(Operands operands) {
    return operands.rank(0) == operands.rank(1);
  }

  /**
   * One that in some cases is made of other operations.
   *
   * @param composed which those are
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
