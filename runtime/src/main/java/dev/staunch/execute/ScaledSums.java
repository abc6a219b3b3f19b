package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.ChannelSums;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The action of two steps as one: sums of channels, and what scales and shifts them by numbers of
 * the module's. They run one after the other where operations run {@linkplain Run#isAsWritten as
 * written}, once the module's tensors were written, and to find out what is wrong. Between them may
 * stand what looks at the sums' shape, as PyTorch's layers do, to raise an exception.
 *
 * @param operands of the sums, but for registers of what is folded
 * @param number by which the kernel finds what it prepared for these
 * @param looks the steps between the two
 * @param asWritten all of them, which release what is between them, and leave the rest to their
 *     step
 */
record ScaledSums(
    Step sums,
    Step scaling,
    FoldedParameters parameters,
    int[] operands,
    int number,
    Code.Body looks,
    Code.Body asWritten)
    implements Action {
  /** So many steps may stand between the two. */
  private static final int MOST_LOOKS = 16;

  /** The steps of a block, of which those that scale channels are folded into their sums. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> fewer = new ArrayList<>();
    for (Step step : steps) {
      int at = sumsOf(step, fewer, draft);
      if (at < 0) {
        fewer.add(step);
      } else {
        List<Step> last = fewer.subList(at, fewer.size());
        Step both = of(last.getFirst(), last.subList(1, last.size()), step, draft);
        draft.replace(step, each -> second(both, step));
        last.clear();
        fewer.add(both);
      }
    }
    return fewer;
  }

  /** Where in {@code before} the sums stand that {@code scaling} may be folded into; or -1. */
  private static int sumsOf(Step scaling, List<Step> before, Draft draft) {
    if (!(scaling.body() instanceof ChannelScaling)) {
      return -1;
    }
    int last = Math.max(0, before.size() - 1 - MOST_LOOKS);
    for (int i = before.size() - 1; i >= last; i--) {
      if (fit(before.get(i), scaling, draft)) {
        return i;
      }
      if (!onlyLooks(before.get(i), scaling.operands[0])) {
        return -1;
      }
    }
    return -1;
  }

  /** Whether a step writes nothing and sees no more of {@code sums} than their shape. */
  private static boolean onlyLooks(Step step, int sums) {
    if (step.action instanceof ControlActions.Branch branch) {
      return step.operands[0] != sums
          && onlyLooks(branch.taken(), sums)
          && onlyLooks(branch.other(), sums);
    }
    boolean reads = Step.count(step.operands, sums) > 0;
    return step.action instanceof KernelAction kernel
        ? !kernel.writes()
            && (!step.has(Trait.ACTS) || step.has(Trait.RAISES))
            && (!reads || step.has(Trait.SEES_SHAPES))
        : step.light && !reads;
  }

  private static boolean onlyLooks(ControlActions.Part part, int sums) {
    for (Step step : part.body().steps()) {
      if (!onlyLooks(step, sums)) {
        return false;
      }
    }
    return Step.count(part.results(), sums) == 0;
  }

  /** The step in place of two, of which all other operands but the first are the module's. */
  private static Step of(Step sums, List<Step> looks, Step scaling, Draft draft) {
    int[] operands = sums.operands.clone();
    operands[1] = draft.register();
    operands[2] = draft.register();
    FoldedParameters parameters =
        new FoldedParameters(
            (ChannelSums) Objects.requireNonNull(sums.body()),
            (ChannelScaling) Objects.requireNonNull(scaling.body()),
            draft.tensors());
    List<Step> all = new ArrayList<>(looks);
    all.addFirst(sums.releasingOnly());
    all.addLast(scaling.releasingOnly(sums.results));
    Action action =
        new ScaledSums(
            sums,
            scaling,
            parameters,
            operands,
            draft.number(),
            new Code.Body(looks),
            new Code.Body(all));
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
    FoldedParameters.Kept kept = folds ? kept(frame) : FoldedParameters.Kept.NOTHING;
    Constant weight = kept.weight();
    Constant bias = kept.bias();
    if (weight != null && bias != null && weight.isCurrent()) {
      frame.registers[operands[1]] = weight.tensor();
      frame.registers[operands[2]] = bias.tensor();
      Object outcome = sums.action.apply(frame, call.again(operands, number), site);
      if (!(outcome instanceof Fault)) {
        // For what looks at its shape, and those who trace where it comes from.
        frame.registers[sums.results[0]] = outcome;
        Fault raised = frame.run(looks);
        return raised == null ? outcome : raised;
      }
    }
    Fault fault = frame.run(asWritten);
    return fault == null ? frame.registers[scaling.results[0]] : fault;
  }

  @Override
  public PlannedOperation.Making making() {
    return PlannedOperation.Making.FOLDED;
  }

  @Override
  public boolean mayWrite() {
    for (Step look : looks.steps()) {
      if (look.action.mayWrite()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int[] made() {
    int[] made = Step.NONE;
    for (Step look : looks.steps()) {
      int before = made.length;
      made = Arrays.copyOf(made, before + look.results.length);
      System.arraycopy(look.results, 0, made, before, look.results.length);
    }
    return made;
  }

  @Override
  public boolean ordersImages() {
    return sums.action.ordersImages();
  }

  private FoldedParameters.Kept kept(Frame frame) {
    FoldedParameters.Kept known = parameters.kept();
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
