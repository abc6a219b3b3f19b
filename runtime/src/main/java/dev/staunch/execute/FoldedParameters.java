package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The weight and bias of sums of channels, into which was folded what scales and shifts those
 * afterwards. They are made at the first request, and belong to the model.
 */
final class FoldedParameters {
  /** What is kept; without either if it cannot be folded, or there is no memory for it. */
  record Kept(@Nullable Constant weight, @Nullable Constant bias) {
    static final Kept NOTHING = new Kept(null, null);
  }

  private final ChannelSums sums;
  private final ChannelScaling scaling;
  private final ModelConstants constants;
  private volatile @Nullable Kept kept;

  FoldedParameters(ChannelSums sums, ChannelScaling scaling, ModelConstants constants) {
    this.sums = sums;
    this.scaling = scaling;
    this.constants = constants;
  }

  /** Whether the sums of this call are along dimension 1, as far as its operands are known. */
  boolean fit(Call call) {
    return call.isTensor(0) && sums.sumsChannels(call);
  }

  /** What is kept; null if nobody has tried. */
  @Nullable Kept kept() {
    return kept;
  }

  /**
   * Folds what the module holds, and keeps that.
   *
   * @param call of what scales; its first argument is the weight
   */
  Kept fold(Call call, @Nullable DenseTensor bias) {
    DenseTensor weight = call.tensor(0);
    List<DenseTensor> sources = new ArrayList<>();
    for (Object each : call.arguments()) {
      if (each instanceof DenseTensor tensor) {
        sources.add(tensor);
      }
    }
    if (bias != null) {
      sources.add(bias);
    }
    Object made = Guard.attempt(given -> scaling.folded(given, weight, bias), call);
    if (made instanceof Fault && call.environment().cancelled() != null) {
      return Kept.NOTHING; // another request may have the time
    }
    return keep(made, sources);
  }

  private synchronized Kept keep(Object made, List<DenseTensor> sources) {
    Kept known = kept;
    if (known == null) {
      known = Kept.NOTHING;
      if (made instanceof ChannelScaling.Parameters parameters) {
        Constant weight = constants.derive(parameters.weight(), sources);
        Constant bias = weight == null ? null : constants.derive(parameters.bias(), sources);
        known = new Kept(weight, bias);
      }
      kept = known;
    }
    if (made instanceof ChannelScaling.Parameters parameters) {
      closeUnkept(known.weight, parameters.weight());
      closeUnkept(known.bias, parameters.bias());
    }
    return known;
  }

  private static void closeUnkept(@Nullable Constant known, DenseTensor made) {
    if (known == null || !made.is(known.tensor())) {
      made.close();
    }
  }
}
