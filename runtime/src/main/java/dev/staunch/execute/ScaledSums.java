package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The action of two steps as one: sums of channels, and what scales and shifts them by numbers of
 * the module's. They run one after the other where operations run {@linkplain Run#isAsWritten as
 * written}, once the module's tensors were written, and to find out what is wrong.
 *
 * @param operands of the sums, but for registers of what is folded
 * @param number by which the kernel finds what it prepared for these
 * @param asWritten the two, which release what is between them, and leave the rest to their step
 */
record ScaledSums(
    Step sums,
    Step scaling,
    FoldedParameters parameters,
    int[] operands,
    int number,
    Code.Body asWritten)
    implements Action {

  /** The steps of a block, of which those that scale channels are folded into their sums. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> fewer = new ArrayList<>();
    for (Step step : steps) {
      if (!fewer.isEmpty() && fit(fewer.getLast(), step, draft)) {
        Step both = of(fewer.removeLast(), step, draft);
        draft.replace(step, each -> second(both, step));
        fewer.add(both);
      } else {
        fewer.add(step);
      }
    }
    return fewer;
  }

  /** The step in place of two, of which all other operands but the first are the module's. */
  private static Step of(Step sums, Step scaling, Draft draft) {
    int[] operands = sums.operands.clone();
    operands[1] = draft.register();
    operands[2] = draft.register();
    FoldedParameters parameters =
        new FoldedParameters(
            (ChannelSums) Objects.requireNonNull(sums.body()),
            (ChannelScaling) Objects.requireNonNull(scaling.body()),
            draft.tensors());
    Code.Body asWritten =
        new Code.Body(List.of(sums.releasingOnly(), scaling.releasingOnly(sums.results)));
    Action action = new ScaledSums(sums, scaling, parameters, operands, draft.number(), asWritten);
    return new Step(sums.name, sums.site, action, sums.operands, scaling.results, sums.lastUses)
        .releasing(without(scaling.lastUses, sums.results[0]));
  }

  /** The second of two steps, as one is known by that was {@linkplain #of made} of them. */
  private static Step second(Step both, Step scaling) {
    return new Step(
        scaling.name,
        scaling.site,
        both.action,
        scaling.operands,
        scaling.results,
        scaling.lastUses);
  }

  /**
   * Whether the second step does no more than scale what the first sums up, by numbers of the
   * module's, and nobody else reads that.
   */
  private static boolean fit(Step sums, Step scaling, Draft draft) {
    if (sums.results.length != 1
        || scaling.results.length != 1
        || !(sums.body() instanceof ChannelSums)
        || !(scaling.body() instanceof ChannelScaling rule)) {
      return false;
    }
    int between = sums.results[0];
    return scaling.operands[0] == between
        && Step.count(scaling.operands, between) == 1
        && Step.count(scaling.lastUses, between) > 0
        && areGiven(sums.operands, Math.min(3, sums.operands.length), draft)
        && areGiven(scaling.operands, scaling.operands.length, draft)
        && rule.scalesOnly(draft.constants(scaling));
  }

  /** Whether those behind the first, up to {@code end}, hold what is the module's. */
  private static boolean areGiven(int[] registers, int end, Draft draft) {
    for (int i = 1; i < end; i++) {
      if (!draft.isGiven(registers[i])) {
        return false;
      }
    }
    return true;
  }

  private static int[] without(int[] registers, int unwanted) {
    int[] others = new int[registers.length];
    int count = 0;
    for (int register : registers) {
      if (register != unwanted) {
        others[count++] = register;
      }
    }
    return Arrays.copyOf(others, count);
  }

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    boolean folds = !frame.run.isAsWritten() && parameters.fit(call);
    return switch (folds ? folded(frame) : FoldedParameters.Apart.APART) {
      case FoldedParameters.Folded folded -> {
        Object outcome = sumsWith(folded, frame, call, site);
        folded.end();
        yield outcome;
      }
      case FoldedParameters.Failed failed ->
          failed(
              failed.fault().arisingIn(scaling.name, List.of()).withSource(scaling.site.source()),
              frame);
      case FoldedParameters.Apart apart -> apart(frame);
    };
  }

  private Object sumsWith(FoldedParameters.Folded folded, Frame frame, Call call, Site site) {
    frame.registers[operands[1]] = folded.weight();
    frame.registers[operands[2]] = folded.bias();
    Object outcome = sums.action.apply(frame, call.again(operands, number), site);
    if (!(outcome instanceof Fault)) {
      frame.registers[sums.results[0]] = outcome; // for those who trace where it comes from
      return outcome;
    }
    return failed(outcome, frame);
  }

  /**
   * The fault that there is without folding; {@code fault} if there is none, as where memory is
   * enough for operations as they are written, or came free meanwhile. A result of theirs would be
   * one of other bits.
   */
  private Object failed(Object fault, Frame frame) {
    Object written = apart(frame);
    if (written instanceof Fault) {
      return written;
    }
    frame.release(written);
    return fault;
  }

  private Object apart(Frame frame) {
    Fault fault = frame.run(asWritten);
    return fault == null ? frame.registers[scaling.results[0]] : fault;
  }

  @Override
  public PlannedOperation.Making making() {
    return PlannedOperation.Making.FOLDED;
  }

  @Override
  public boolean ordersImages() {
    return sums.action.ordersImages();
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
