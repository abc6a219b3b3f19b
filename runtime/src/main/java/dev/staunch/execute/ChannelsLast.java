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
 * Decides which results of a block's steps may be in channels-last order without the program
 * noticing. These are images that a step makes in whatever order is wanted, and that only steps of
 * this block read which do not reveal how their operands are laid out. Images that one loop
 * combines form a group, and all have the order of its first image. The step of that image chooses
 * the order for each request.
 */
final class ChannelsLast {
  private final Draft draft;

  /** Maps each image to another of its group; the representative to itself. */
  private final Map<Integer, Integer> groups = new HashMap<>();

  /** Images of groups that must have the order in which they are written. */
  private final Set<Integer> seen = new HashSet<>();

  private ChannelsLast(Draft draft) {
    this.draft = draft;
  }

  /**
   * The steps of a block, some of which now choose the order of their results, and some follow
   * them.
   */
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
      if (step.has(Trait.CHOOSES_LAYOUT)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a step may return its first operand as it is, and reveals nothing else about it. */
  private static boolean isHandedOn(Step step) {
    return step.has(Trait.LAYOUT_AGNOSTIC) && step.has(Trait.SHARES);
  }

  /** Whether a step scales its first operand, element by element. */
  private static boolean isScaled(Step step) {
    return step.body() instanceof ChannelScaling && step.has(Trait.CHOOSES_LAYOUT);
  }

  /** Adds the result of a step to the group of the images that it returns or combines. */
  private void group(Step step) {
    if (step.results.length != 1) {
      return;
    }
    int result = step.results[0];
    boolean combines = step.formula() != null;
    if (step.has(Trait.CHOOSES_LAYOUT)) {
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

  /** Otherwise the loop would meet a tensor that is not an image of this block in another order. */
  private void join(int result, int operand) {
    if (groups.containsKey(operand)) {
      groups.put(group(operand), group(result));
    } else if (!fits(operand)) {
      seen.add(result);
    }
  }

  /**
   * Whether the operand is not a tensor, or is one of the model's that repeats along images, or is
   * computed from such tensors.
   */
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

  /**
   * Adds images that are read by anything but those steps here whose results are images of the same
   * group.
   */
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

  /** Whether a step makes a new image instead of returning one. */
  private boolean isNew(Step step) {
    PointwiseBody body = step.formula();
    return step.results.length == 1
        && groups.containsKey(step.results[0])
        && (body == null ? step.has(Trait.CHOOSES_LAYOUT) : !body.inPlace());
  }
}
