package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An operation fused with the pointwise operations that follow it; the first of them combines the
 * operation's result, and each other one the result before it. The kernel runs their loops over
 * each block of the result when the block is computed, in place. They cannot fail then.
 *
 * <p>Those behind {@link CheckedSums} stay in place, and pass on what the sums include already.
 *
 * <p>The pointwise operations run separately afterwards, as written, with gradients, if the program
 * is watched or requires it, if the kernel does not {@linkplain Call#epilogue ask}, and for
 * operands that {@link PointwiseEpilogue} does not accept.
 */
final class Finished implements Action {
  private final Step first;
  private final PointwiseEpilogue epilogue;
  private final Code.Body rest;
  private final int result;

  /** The registers that the later steps release, except for intermediate values. */
  private final int[] ending;

  private Finished(Step first, List<Step> after, Draft draft) {
    this.first = first;
    Set<Integer> between = new HashSet<>();
    int made = first.results[0];
    for (Step step : after) {
      between.add(made);
      made = step.results[0];
    }
    this.result = made;
    this.epilogue = PointwiseEpilogue.of(first.results[0], after);
    this.rest = new Code.Body(PointwiseChain.planned(after, draft));
    this.ending = ending(after, between);
  }

  /** What the steps release, except for values that are made and read between them. */
  private static int[] ending(List<Step> steps, Set<Integer> between) {
    int[] ending = Step.NONE;
    for (Step step : steps) {
      for (int each : step.lastUses) {
        if (!between.contains(each)) {
          ending = Arrays.copyOf(ending, ending.length + 1);
          ending[ending.length - 1] = each;
        }
      }
    }
    return ending;
  }

  /** The steps of a block, some of which now include those that follow them. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> fewer = new ArrayList<>();
    int i = 0;
    while (i < steps.size()) {
      Step step = steps.get(i++);
      int from = i;
      boolean checked = CheckedSums.isScaled(step);
      if (checked || (finishes(step) && (fewer.isEmpty() || !isOfSlice(fewer.getLast(), step)))) {
        int made = step.results[0];
        while (i < steps.size() && combines(steps.get(i), made, draft)) {
          made = steps.get(i++).results[0];
        }
      }
      List<Step> after = steps.subList(from, i);
      if (checked) {
        fewer.add(step);
        fewer.addAll(CheckedSums.finished(fewer, after, draft));
      } else {
        fewer.add(after.isEmpty() ? step : whole(step, after, draft));
      }
    }
    return fewer;
  }

  private static boolean finishes(Step step) {
    Step summing = step.action instanceof ScaledSums both ? both.sums() : step;
    return step.results.length == 1
        && summing.action instanceof KernelAction kernel
        && !kernel.writes()
        && summing.has(Trait.TAKES_EPILOGUE);
  }

  /** Whether an enclosing loop may compute {@code rows} for all slices at once. */
  private static boolean isOfSlice(Step slice, Step rows) {
    return slice.has(Trait.SELECTS) && rows.has(Trait.ROWWISE);
  }

  /**
   * Whether {@code step} combines the value in {@code made}, which no other step reads, with values
   * that exist before it. What it overwrites must not be read by others either. Tensors of the
   * module would repeat along the result.
   */
  private static boolean combines(Step step, int made, Draft draft) {
    PointwiseBody body = step.formula();
    return body != null
        && step.results.length == 1
        && Step.count(step.operands, made) == 1
        && !readsModule(step, draft)
        && Step.count(step.lastUses, made) > 0
        && (!body.inPlace() || Step.count(step.lastUses, step.operands[0]) > 0);
  }

  private static boolean readsModule(Step step, Draft draft) {
    for (int each : step.operands) {
      if (draft.constant(each) instanceof DenseTensor) {
        return true;
      }
    }
    return false;
  }

  private static Step whole(Step first, List<Step> after, Draft draft) {
    Action action = new Finished(first, List.copyOf(after), draft);
    for (Step step : after) {
      draft.replace(step, each -> step.doing(new After(step.action)));
    }
    int[] results = after.getLast().results;
    return new Step(first.name, first.site, action, first.operands, results, Step.NONE);
  }

  /** What an operation becomes whose loop runs over blocks of another operation's result. */
  private record After(Action asWritten) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      return asWritten.apply(frame, call, site);
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

  @Override
  public Object apply(Frame frame, Call call, Site site) {
    Call own = call.at(first.operands, first.number, first.dying, first.unread);
    PointwiseEpilogue.Request request = epilogue.new Request(frame);
    if (!frame.run.isAsWritten()) {
      own.finishResult(request);
    }
    Object outcome = first.action.apply(frame, own, site);
    frame.registers[first.results[0]] = outcome;
    release(frame, first.lastUses);
    if (!(outcome instanceof DenseTensor)) {
      return outcome;
    }
    if (!request.hasFinished(outcome)) {
      Fault fault = frame.run(rest);
      return fault == null ? frame.registers[result] : fault;
    }
    for (PointwiseEpilogue.Stage stage : epilogue.stages()) {
      frame.registers[stage.result()] = outcome; // for tracing, and for readers of its layout
    }
    release(frame, ending);
    return outcome;
  }

  private static void release(Frame frame, int[] registers) {
    for (int register : registers) {
      frame.release(frame.registers[register]);
    }
  }
}
