package dev.staunch.kernel.neural;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.Kernel;
import dev.staunch.operation.Operands;

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

  /** One whose argument 6 says whether it is transposed. */
  record General(ConvolutionKernel plain, Kernel.One transposed)
      implements Kernel.One, ChannelSums {

    @Override
    public Object run(Call call) {
      return call.bool(6) ? transposed.run(call) : plain.run(call);
    }

    @Override
    public boolean sumsChannels(Operands operands) {
      return !operands.bool(6) && plain.sumsChannels(operands);
    }
  }
}
