package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The action of two steps merged into one: channel sums, and the scaling and shifting of these by
 * numbers of the module. The two run separately where the numbers are not {@linkplain SumsFolding
 * folded}, and to find out what is wrong.
 *
 * @param asWritten the two steps; they release what is between them, and leave the rest to the
 *     merged step
 */
record ScaledSums(SumsFolding folding, Code.Body asWritten)
    implements Action, SumsFolding.AsWritten {

  /** The steps of a block, with channel scaling folded into the sums before it. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    List<Step> fewer = new ArrayList<>();
    for (Step step : steps) {
      if (fewer.isEmpty() || !SumsFolding.isScaling(step, draft)) {
        fewer.add(step);
      } else if (SumsFolding.fit(fewer.getLast(), step, draft)) {
        fewer.add(of(fewer.removeLast(), step, draft));
      } else {
        fewer.add(CheckedSums.planned(fewer, step, draft));
      }
    }
    return fewer;
  }

  Step sums() {
    return folding.sums();
  }

  /** The step that replaces the two; all other operands than the first are the module's. */
  private static Step of(Step sums, Step scaling, Draft draft) {
    Code.Body asWritten =
        new Code.Body(List.of(sums.releasingOnly(), scaling.releasingOnly(sums.results)));
    Action action = new ScaledSums(SumsFolding.of(sums, scaling, draft), asWritten);
    draft.replace(scaling, each -> each.doing(action));
    return new Step(sums.name, sums.site, action, sums.operands, scaling.results, sums.lastUses)
        .releasing(without(scaling.lastUses, sums.results[0]));
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
    return folding.run(frame, call, site, this);
  }

  @Override
  public Object runAsWritten(Frame frame, Call call, Site site) {
    Fault fault = frame.run(asWritten);
    return fault == null ? frame.registers[folding.scaling().results[0]] : fault;
  }

  @Override
  public PlannedOperation.Evaluation evaluation() {
    return PlannedOperation.Evaluation.FOLDED;
  }

  @Override
  public boolean ordersImages() {
    return sums().action.ordersImages();
  }
}
