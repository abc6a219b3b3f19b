package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The weight and bias of channel sums, with the scaling and shifting that follows folded into them.
 * They are computed at the first request, and belong to the model; if the model's memory has no
 * room for them, each call computes its own. So whether sums are folded depends on the module's
 * numbers alone, and what a request computes with does not depend on earlier requests.
 */
final class FoldedParameters {
  /** What a call runs with. */
  sealed interface Outcome {}

  /** The parameters cannot be folded, or were written: the two operations run as written. */
  enum Apart implements Outcome {
    APART
  }

  /** This call cannot fold them, for lack of memory or time. */
  record Failed(Fault fault) implements Outcome {}

  /**
   * The parameters are folded.
   *
   * @param kept the weight as a constant of the model; null if both belong to the call
   */
  record Folded(DenseTensor weight, DenseTensor bias, @Nullable Constant kept) implements Outcome {
    /** Ends the call. */
    void end() {
      if (kept == null) {
        weight.close();
        bias.close();
      }
    }
  }

  private final ChannelSums sums;
  private final ChannelScaling scaling;
  private final ModelConstants constants;
  private volatile @Nullable Outcome kept;

  FoldedParameters(ChannelSums sums, ChannelScaling scaling, ModelConstants constants) {
    this.sums = sums;
    this.scaling = scaling;
    this.constants = constants;
  }

  /** Whether the sums of this call are along dimension 1, as far as its operands are known. */
  boolean fit(Call call) {
    return call.isTensor(0) && sums.sumsChannels(call);
  }

  /** The outcome known for all calls; null if each call has to {@link #fold}. */
  @Nullable Outcome kept() {
    Outcome known = kept;
    Constant weight = known instanceof Folded folded ? folded.kept : null;
    return weight == null || weight.isCurrent() ? known : Apart.APART;
  }

  /**
   * Folds the module's parameters, and keeps the result if there is room.
   *
   * @param call the call of the scaling operation; its first argument is the weight
   */
  Outcome fold(Call call, @Nullable DenseTensor bias) {
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
    if (!constants.areCurrent(sources)) {
      kept = Apart.APART;
      return Apart.APART;
    }
    Object made = Guard.attempt(given -> scaling.folded(given, weight, bias), call);
    return made instanceof Fault fault
        ? failed(fault)
        : keep((ChannelScaling.Parameters) made, sources);
  }

  private Outcome failed(Fault fault) {
    if (fault.type() == FaultType.UNSUPPORTED || fault.type() == FaultType.VALUE) {
      kept = Apart.APART; // the same for every call: the numbers do not change
      return Apart.APART;
    }
    return new Failed(fault);
  }

  private synchronized Outcome keep(ChannelScaling.Parameters made, List<DenseTensor> sources) {
    Outcome known = kept();
    if (known == null) {
      Constant weight = constants.derive(List.of(made.weight(), made.bias()), sources);
      Folded folded = new Folded(made.weight(), made.bias(), weight);
      kept = weight == null ? null : folded;
      return folded;
    }
    made.weight().close();
    made.bias().close();
    return known;
  }
}
