package dev.staunch.execute;

import dev.staunch.kernel.Call;
import dev.staunch.operation.Trait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The action of channel sums that other steps inspect before they are scaled, as PyTorch's layers
 * check the rank of their input. It returns the scaled sums if it can, and {@link Scaled} passes
 * these on. All steps stay in place, and those in between see only the shape of the sums, which is
 * the same.
 *
 * @param flag the register that says whether the sums are scaled
 * @param epilogue what is also done to the scaled sums, by steps behind {@link Scaled}; null for
 *     nothing
 * @param done the register that says whether it is done
 */
record CheckedSums(SumsFolding folding, int flag, @Nullable PointwiseEpilogue epilogue, int done)
    implements Action, SumsFolding.AsWritten {
  /** At most this many steps may stand between the two. */
  private static final int MOST_LOOKS = 16;

  /** {@code scaling}, or its replacement if {@code before} has sums that it folds into. */
  static Step planned(List<Step> before, Step scaling, Draft draft) {
    int last = Math.max(0, before.size() - MOST_LOOKS - 1);
    int between = scaling.operands[0];
    int at = before.size() - 1;
    while (at > last && !makes(before.get(at), between) && onlyLooks(before.get(at), between)) {
      at--;
    }
    Step sums = before.get(at);
    if (!SumsFolding.fit(sums, scaling, draft)) {
      return scaling;
    }
    CheckedSums checked =
        new CheckedSums(SumsFolding.of(sums, scaling, draft), draft.register(), null, -1);
    before.set(at, sums.doing(checked));
    Action scaled = new Scaled(scaling.action, checked.flag);
    draft.replace(scaling, each -> each.doing(scaled));
    return scaling.doing(scaled);
  }

  /** Whether {@code step} passes on sums that may be scaled already. */
  static boolean isScaled(Step step) {
    return step.action instanceof Scaled;
  }

  /**
   * Pointwise steps that follow the last of {@code before}, a {@linkplain #isScaled scaled} one,
   * each of which combines the result of the one before: if all that they read is there when the
   * sums are computed, these include them.
   */
  static List<Step> finished(List<Step> before, List<Step> after, Draft draft) {
    Step scaled = before.getLast();
    Set<Integer> later = new HashSet<>();
    int at = before.size() - 1;
    while (!(before.get(at).action instanceof CheckedSums)) {
      for (int result : before.get(at--).results) {
        later.add(result);
      }
    }
    Step sums = before.get(at);
    if (!(sums.action instanceof CheckedSums(SumsFolding folding, int flag, var _, int _))
        || !folding.sums().has(Trait.TAKES_EPILOGUE)) {
      return after;
    }
    int count = 0;
    int made = scaled.results[0];
    while (count < after.size() && isThere(after.get(count), made, later)) {
      made = after.get(count++).results[0];
    }
    if (count == 0) {
      return after;
    }
    int done = draft.register();
    PointwiseEpilogue epilogue = PointwiseEpilogue.of(scaled.results[0], after.subList(0, count));
    before.set(at, sums.doing(new CheckedSums(folding, flag, epilogue, done)));
    List<Step> steps = new ArrayList<>(after);
    made = scaled.results[0];
    for (int i = 0; i < count; i++) {
      Step step = after.get(i);
      Action included = new Included(step.action, done, place(step, made));
      draft.replace(step, each -> each.doing(included));
      steps.set(i, step.doing(included));
      made = step.results[0];
    }
    return steps;
  }

  /**
   * Whether all that {@code step} reads besides {@code made} is there before {@code later} is, and
   * it overwrites nothing else, of which views may be made meanwhile.
   */
  private static boolean isThere(Step step, int made, Set<Integer> later) {
    if (Objects.requireNonNull(step.formula()).inPlace() && step.operands[0] != made) {
      return false;
    }
    for (int operand : step.operands) {
      if (operand != made && later.contains(operand)) {
        return false;
      }
    }
    return true;
  }

  private static int place(Step step, int operand) {
    int place = 0;
    while (step.operands[place] != operand) {
      place++;
    }
    return place;
  }

  private static boolean makes(Step step, int sums) {
    return Step.count(step.results, sums) > 0;
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
    if (epilogue == null) {
      return folding.run(frame, call, site, this);
    }
    PointwiseEpilogue.Request request = epilogue.new Request(frame);
    call.finishResult(request);
    Object outcome = folding.run(frame, call, site, this);
    frame.registers[done] = request.hasFinished(outcome);
    return outcome;
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

  /**
   * A pointwise step that the sums may include already.
   *
   * @param made which operand it combines
   */
  private record Included(Action asWritten, int done, int made) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      return Boolean.TRUE.equals(frame.registers[done])
          ? call.value(made)
          : asWritten.apply(frame, call, site);
    }

    @Override
    public boolean mayWrite() {
      return asWritten.mayWrite();
    }

    @Override
    public boolean ordersImages() {
      return asWritten.ordersImages();
    }

    @Override
    public PlannedOperation.Evaluation evaluation() {
      return PlannedOperation.Evaluation.EPILOGUE;
    }
  }
}
