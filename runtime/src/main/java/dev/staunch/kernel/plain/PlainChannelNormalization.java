package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.ChannelRuns;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Normalisation of channels, computed in doubles. */
record PlainChannelNormalization(Request request, boolean isSmall) implements ChannelNormalization {

  static PlainChannelNormalization of(Request request) {
    return new PlainChannelNormalization(request, SmallNormalization.fits(request));
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor mean,
      DenseTensor variance,
      DenseTensor result) {
    if (isSmall) {
      SmallNormalization.run(input, weight, bias, mean, variance, request.epsilon(), result);
      return null;
    }
    CancellationPoll poll = new CancellationPoll(context);
    DenseTensor values = input;
    if (!liesAlike()) {
      Fault stop = Copying.copy(poll, input, input.layout(), result, result.layout());
      if (stop != null) {
        return stop;
      }
      values = result; // each element is read before its position is written
    }
    int channels = (int) mean.elements();
    double[] middle = Filling.read(poll, mean);
    double[] spread = Filling.read(poll, variance);
    double[] scale = read(poll, weight, 1, channels);
    double[] shift = read(poll, bias, 0, channels);
    for (int i = 0; i < channels; i++) {
      scale[i] /= Math.sqrt(spread[i] + request.epsilon());
    }
    return ChannelRuns.each(
        poll,
        values,
        result,
        (channel, elements, start, end) -> {
          for (int i = start; i < end; i++) {
            elements[i] = (elements[i] - middle[channel]) * scale[channel] + shift[channel];
          }
        });
  }

  /** Whether the elements of both have the same order, without gaps. */
  private boolean liesAlike() {
    return request.result().isContiguous()
        ? request.input().isContiguous()
        : request.input().isChannelsLast();
  }

  private static double[] read(
      CancellationPoll poll, @Nullable DenseTensor parameter, double absent, int channels) {
    if (parameter != null) {
      return Filling.read(poll, parameter);
    }
    double[] values = new double[channels];
    Arrays.fill(values, absent);
    return values;
  }
}
