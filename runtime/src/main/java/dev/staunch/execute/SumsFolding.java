package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import java.util.List;
import java.util.Objects;

/**
 * Channel sums with the scaling and shifting that follows them, by numbers of the module, folded
 * into their weight and bias.
 *
 * @param operands of the sums, except for the registers of what is folded
 * @param number the number under which the kernel finds what it prepared for these operands
 */
record SumsFolding(
    Step sums, Step scaling, FoldedParameters parameters, int[] operands, int number) {

  /** What runs instead where operations run as written. */
  interface AsWritten {
    Object runAsWritten(Frame frame, Call call, Site site);
  }

  /** For steps that {@linkplain #fit fit}. */
  static SumsFolding of(Step sums, Step scaling, Draft draft) {
    int[] operands = sums.operands.clone();
    operands[1] = draft.register();
    operands[2] = draft.register();
    FoldedParameters parameters =
        new FoldedParameters(
            (ChannelSums) Objects.requireNonNull(sums.body()),
            (ChannelScaling) Objects.requireNonNull(scaling.body()),
            draft.tensors());
    return new SumsFolding(sums, scaling, parameters, operands, draft.number());
  }

  /**
   * Whether {@code step} scales and shifts channels by numbers of the module, and does only that.
   */
  static boolean isScaling(Step step, Draft draft) {
    return step.body() instanceof ChannelScaling rule
        && step.results.length == 1
        && areGiven(step.operands, step.operands.length, draft)
        && rule.scalesOnly(draft.constants(step));
  }

  /**
   * Whether {@code scaling} {@linkplain #isScaling scales} the result of {@code sums} with numbers
   * of the module, and that result is not read afterwards.
   */
  static boolean fit(Step sums, Step scaling, Draft draft) {
    if (sums.results.length != 1 || !(sums.body() instanceof ChannelSums)) {
      return false;
    }
    int between = sums.results[0];
    return scaling.operands[0] == between
        && Step.count(scaling.operands, between) == 1
        && Step.count(scaling.lastUses, between) > 0
        && areGiven(sums.operands, Math.min(3, sums.operands.length), draft);
  }

  /** Whether the registers behind the first, up to {@code end}, hold values of the module. */
  private static boolean areGiven(int[] registers, int end, Draft draft) {
    for (int i = 1; i < end; i++) {
      if (!draft.isGiven(registers[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * The scaled sums; or the result of {@code other} where operations run {@linkplain
   * Run#isAsWritten as written}, for operands with another channel layout, and once the module's
   * tensors were written.
   */
  Object run(Frame frame, Call call, Site site, AsWritten other) {
    boolean folds = !frame.run.isAsWritten() && parameters.fit(call);
    return switch (folds ? folded(frame) : FoldedParameters.Apart.APART) {
      case FoldedParameters.Folded with -> {
        Object outcome = sumsWith(with, frame, call, site);
        with.end();
        yield outcome instanceof Fault fault
            ? failed(fault, frame, call, site, other)
            : scaled(outcome, frame);
      }
      case FoldedParameters.Failed failed -> {
        Fault fault = failed.fault().arisingIn(scaling.name, List.of());
        yield failed(fault.withSource(scaling.site.source()), frame, call, site, other);
      }
      case FoldedParameters.Apart apart -> other.runAsWritten(frame, call, site);
    };
  }

  /**
   * The batch norm of a tensor that is in both orders is row-major, whatever that tensor suggests.
   */
  private static Object scaled(Object outcome, Frame frame) {
    if (!(outcome instanceof DenseTensor sums)
        || !sums.isContiguous()
        || sums.layout().isTurned()
        || sums.layout().isAsNew()) {
      return outcome;
    }
    Object laid = sums.view(frame.run.scope(), Layout.contiguous(sums.shape()));
    frame.release(sums);
    return laid;
  }

  private Object sumsWith(FoldedParameters.Folded folded, Frame frame, Call call, Site site) {
    frame.registers[operands[1]] = folded.weight();
    frame.registers[operands[2]] = folded.bias();
    Object outcome = sums.action.apply(frame, call.again(operands, number), site);
    if (!(outcome instanceof Fault)) {
      frame.registers[sums.results[0]] = outcome; // for tracing where it comes from
    }
    return outcome;
  }

  /**
   * The fault that there is without folding; {@code fault} if there is none, for example because
   * there is enough memory for the operations as written, or memory was freed meanwhile. Their
   * result would have other bits.
   */
  private static Object failed(Fault fault, Frame frame, Call call, Site site, AsWritten other) {
    Object written = other.runAsWritten(frame, call, site);
    if (written instanceof Fault) {
      return written;
    }
    frame.release(written);
    return fault;
  }

  private FoldedParameters.Outcome folded(Frame frame) {
    FoldedParameters.Outcome known = parameters.kept();
    if (known != null) {
      return known;
    }
    Object[] arguments = new Object[scaling.operands.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = frame.registers[scaling.operands[i]];
    }
    arguments[0] = frame.registers[sums.operands[1]];
    Object bias = frame.registers[sums.operands[2]];
    return parameters.fold(
        new Call(frame.run, arguments), bias instanceof DenseTensor tensor ? tensor : null);
  }
}
