package dev.staunch.execute;

import dev.staunch.kernel.ChannelScaling;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which results of a block's steps may lie with their channels last, as nobody can tell: images
 * that a step makes in whatever order is wanted, and that are read by steps of this block alone
 * which say that they do not show how their operands lie. Images that one loop combines are a
 * group, and all lie as its first one does. That one's step chooses for each request.
 */
final class ChannelsLast {
  private final Draft draft;

  /** Of each image another one of its group; of one of them itself. */
  private final Map<Integer, Integer> groups = new HashMap<>();

  /** Images of groups that have to lie as they are written. */
  private final Set<Integer> seen = new HashSet<>();

  private ChannelsLast(Draft draft) {
    this.draft = draft;
  }

  /** The steps of a block, of which some choose how their results lie, and some follow them. */
  static List<Step> planned(List<Step> steps, Draft draft) {
    if (!haveImages(steps)) {
      return steps;
    }
    ChannelsLast images = new ChannelsLast(draft);
    for (Step step : steps) {
      images.group(step);
    }
    images.findSeen(steps);
    return images.ordered(steps);
  }

  private static boolean haveImages(List<Step> steps) {
    for (Step step : steps) {
      if (step.has(Trait.ORDERS)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a step may give its first operand as it is, and shows nothing else of it. */
  private static boolean isHandedOn(Step step) {
    return step.has(Trait.ORDERLESS) && step.has(Trait.SHARES);
  }

  /** Whether a step's result is its first operand, element by element. */
  private static boolean isScaled(Step step) {
    return step.body() instanceof ChannelScaling && step.has(Trait.ORDERS);
  }

  /** Makes the result of a step an image of the group of those that it hands on or combines. */
  private void group(Step step) {
    if (step.results.length != 1) {
      return;
    }
    int result = step.results[0];
    boolean combines = step.formula() != null;
    if (step.has(Trait.ORDERS)) {
      groups.put(result, result);
    }
    if (isScaled(step) && groups.containsKey(step.operands[0])) {
      join(result, step.operands[0]);
    } else if (combines || isHandedOn(step)) {
      int[] operands = combines ? step.operands : Arrays.copyOf(step.operands, 1);
      if (anyImage(operands)) {
        groups.put(result, result);
        for (int operand : operands) {
          join(result, operand);
        }
      }
    }
  }

  private boolean anyImage(int[] registers) {
    for (int register : registers) {
      if (groups.containsKey(register)) {
        return true;
      }
    }
    return false;
  }

  /** What is no image of this block would be met in another order by the loop. */
  private void join(int result, int operand) {
    if (groups.containsKey(operand)) {
      groups.put(group(operand), group(result));
    } else if (!fits(operand)) {
      seen.add(result);
    }
  }

  /** Whether it is no tensor, one that a model repeats along images, or computed of such. */
  private boolean fits(int operand) {
    Object value = draft.constant(operand);
    return value instanceof DenseTensor tensor
        ? tensor.layout().isContiguous() && repeats(tensor.shape())
        : value != null || draft.isFolded(operand);
  }

  /** One number for each image or channel. */
  private static boolean repeats(Shape shape) {
    int rank = shape.rank();
    return shape.elements() == 1 || (rank > 2 && shape.size(rank - 1) * shape.size(rank - 2) == 1);
  }

  private int group(int image) {
    int next = image;
    for (Integer other = groups.get(next); other != null && other != next; ) {
      next = other;
      other = groups.get(next);
    }
    return next;
  }

  /** Adds what is read by more than the steps here whose results are images of its group. */
  private void findSeen(List<Step> steps) {
    Map<Integer, Integer> known = new HashMap<>();
    for (Step step : steps) {
      if (step.formula() != null) {
        for (int image : step.operands) {
          known.merge(image, 1, Integer::sum);
        }
      } else if (isHandedOn(step)) {
        known.merge(step.operands[0], 1, Integer::sum);
      }
    }
    for (int image : groups.keySet()) {
      if (known.getOrDefault(image, 0) < draft.reads(image)) {
        seen.add(image);
      }
    }
  }

  private List<Step> ordered(List<Step> steps) {
    Set<Integer> asWritten = new HashSet<>();
    for (int image : seen) {
      asWritten.add(group(image));
    }
    Map<Integer, Integer> first = new HashMap<>();
    List<Step> ordered = new ArrayList<>();
    for (Step step : steps) {
      Step same = step;
      if (isNew(step) && !asWritten.contains(group(step.results[0]))) {
        int result = step.results[0];
        int leader = first.computeIfAbsent(group(result), none -> result);
        KernelAction kernel = (KernelAction) step.action;
        same = step.doing(kernel.lyingAs(leader == result ? KernelAction.CHOOSES : leader));
        Step other = same;
        draft.replace(step, each -> other);
      }
      ordered.add(same);
    }
    return ordered;
  }

  /** Whether a step makes an image, and does not hand one on. */
  private boolean isNew(Step step) {
    PointwiseBody body = step.formula();
    return step.results.length == 1
        && groups.containsKey(step.results[0])
        && (body == null ? step.has(Trait.ORDERS) : !body.inPlace());
  }
}
