package dev.staunch.execute;

import dev.staunch.kernel.Call;
import dev.staunch.operation.Trait;
import java.util.List;

/**
 * The action of channel sums that other steps inspect before they are scaled, as PyTorch's layers
 * check the rank of their input. It returns the scaled sums if it can, and {@link Scaled} passes
 * these on. All steps stay in place, and those in between see only the shape of the sums, which is
 * the same.
 *
 * @param flag the register that says whether the sums are scaled
 */
record CheckedSums(SumsFolding folding, int flag) implements Action, SumsFolding.AsWritten {
  /** At most this many steps may stand between the two. */
  private static final int MOST_LOOKS = 16;

  /** {@code scaling}, or its replacement if {@code before} has sums that it folds into. */
  static Step planned(List<Step> before, Step scaling, Draft draft) {
    int last = Math.max(0, before.size() - MOST_LOOKS - 1);
    int at = before.size() - 1;
    while (at > last && onlyLooks(before.get(at), scaling.operands[0])) {
      at--;
    }
    Step sums = before.get(at);
    if (!SumsFolding.fit(sums, scaling, draft)) {
      return scaling;
    }
    CheckedSums checked = new CheckedSums(SumsFolding.of(sums, scaling, draft), draft.register());
    before.set(at, sums.doing(checked));
    Action scaled = new Scaled(scaling.action, checked.flag);
    draft.replace(scaling, each -> each.doing(scaled));
    return scaling.doing(scaled);
  }

  /** Whether a step writes nothing and sees only the shape of {@code sums}. */
  private static boolean onlyLooks(Step step, int sums) {
    boolean reads = Step.count(step.operands, sums) > 0;
    if (step.action instanceof ControlActions.Branch branch) {
      return !reads && onlyLooks(branch.taken(), sums) && onlyLooks(branch.other(), sums);
    }
    return step.action instanceof KernelAction kernel
        ? !kernel.writes()
            && (!step.has(Trait.HAS_SIDE_EFFECTS) || step.has(Trait.RAISES))
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

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    frame.registers[flag] = true;
    return folding.run(frame, call, site, this);
  }

  @Override
  public Object runAsWritten(Frame frame, Call call, Site site) {
    frame.registers[flag] = false;
    Step sums = folding.sums();
    return sums.action.apply(
        frame, call.at(sums.operands, sums.number, sums.dying, sums.unread), site);
  }

  @Override
  public boolean ordersImages() {
    return folding.sums().action.ordersImages();
  }

  /** Scales sums, unless they are already scaled. */
  private record Scaled(Action asWritten, int flag) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      return Boolean.TRUE.equals(frame.registers[flag])
          ? call.value(0)
          : asWritten.apply(frame, call, site);
    }

    @Override
    public PlannedOperation.Evaluation evaluation() {
      return PlannedOperation.Evaluation.FOLDED;
    }

    @Override
    public boolean ordersImages() {
      return asWritten.ordersImages();
    }
  }
}
