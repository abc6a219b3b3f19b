package dev.staunch.execute;

import dev.staunch.kernel.CatalogEntry;
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
import org.jspecify.annotations.Nullable;

/**
 * Which results of a block's steps may lie with their channels last, as nobody can tell: images
 * that a step makes in whatever order is wanted, and that are read by steps of this block alone
 * which say that they do not show how their operands lie. Images that one loop combines are a
 * group, and all lie as its first one does. That one's step chooses for each request.
 */
final class ChannelsLast {
  private final Reads reads;
  private final Map<Integer, Object> constants;
  private final Set<Integer> folded;

  /** Of each image another one of its group; of one of them itself. */
  private final Map<Integer, Integer> groups = new HashMap<>();

  /** Images of groups that have to lie as they are written. */
  private final Set<Integer> seen = new HashSet<>();

  private ChannelsLast(Reads reads, Map<Integer, Object> constants, Set<Integer> folded) {
    this.reads = reads;
    this.constants = constants;
    this.folded = folded;
  }

  /**
   * How often each register is read such that it may show how what it holds lies, by a function's
   * steps and as results of its blocks.
   */
  static final class Reads {
    private final Map<Integer, Integer> counts = new HashMap<>();

    /** Adds those of an operation, unless it shows nothing. */
    void add(CatalogEntry operation, int[] registers) {
      if (!operation.definition().has(Trait.ORDERLESS)
          || operation.definition().has(Trait.SHARES)) {
        add(registers);
      }
    }

    void add(int... registers) {
      for (int register : registers) {
        counts.merge(register, 1, Integer::sum);
      }
    }

    private int of(int register) {
      return counts.getOrDefault(register, 0);
    }
  }

  /**
   * The steps of a block, of which some choose how their results lie, and some follow them.
   *
   * @param kernels the steps that call a kernel, in which theirs are replaced
   * @param reads those of the function, as far as they may be of what this block makes
   * @param constants what registers hold in each request
   * @param folded the registers of what is computed of such
   */
  static List<Step> planned(
      List<Step> steps,
      List<Step> kernels,
      Reads reads,
      Map<Integer, Object> constants,
      Set<Integer> folded) {
    if (steps.stream().noneMatch(step -> has(step, Trait.ORDERS))) {
      return steps;
    }
    ChannelsLast images = new ChannelsLast(reads, constants, folded);
    steps.forEach(images::group);
    images.findSeen(steps);
    return images.ordered(steps, kernels);
  }

  private static boolean has(Step step, Trait trait) {
    return step.action instanceof KernelAction kernel
        && kernel.door().definition().definition().has(trait);
  }

  /** Whether a step may give its first operand as it is, and shows nothing else of it. */
  private static boolean isHandedOn(Step step) {
    return has(step, Trait.ORDERLESS) && has(step, Trait.SHARES);
  }

  /** Whether a step's result is its first operand, element by element. */
  private static boolean isScaled(Step step) {
    return step.action instanceof KernelAction kernel
        && kernel.door().definition().body() instanceof ChannelScaling
        && has(step, Trait.ORDERS);
  }

  private static @Nullable PointwiseBody combining(Step step) {
    return step.action instanceof KernelAction kernel
            && kernel.door().definition().body() instanceof PointwiseBody body
        ? body
        : null;
  }

  /** Makes the result of a step an image of the group of those that it hands on or combines. */
  private void group(Step step) {
    if (step.results.length != 1) {
      return;
    }
    int result = step.results[0];
    boolean combines = combining(step) != null;
    if (has(step, Trait.ORDERS)) {
      groups.put(result, result);
    }
    if (isScaled(step) && groups.containsKey(step.operands[0])) {
      join(result, step.operands[0]);
    } else if (combines || isHandedOn(step)) {
      int[] operands = combines ? step.operands : Arrays.copyOf(step.operands, 1);
      if (Arrays.stream(operands).anyMatch(groups::containsKey)) {
        groups.put(result, result);
        for (int operand : operands) {
          join(result, operand);
        }
      }
    }
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
    Object value = constants.get(operand);
    return value instanceof DenseTensor tensor
        ? tensor.layout().isContiguous() && repeats(tensor.shape())
        : value != null || folded.contains(operand);
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
    Reads known = new Reads();
    for (Step step : steps) {
      if (combining(step) != null) {
        known.add(step.operands);
      } else if (isHandedOn(step)) {
        known.add(step.operands[0]);
      }
    }
    groups.keySet().stream().filter(image -> known.of(image) < reads.of(image)).forEach(seen::add);
  }

  @SuppressWarnings("ReferenceEquality") // a step has one site, whatever it releases
  private List<Step> ordered(List<Step> steps, List<Step> kernels) {
    Set<Integer> asWritten = new HashSet<>();
    seen.forEach(image -> asWritten.add(group(image)));
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
        kernels.replaceAll(each -> each.site == step.site ? other : each);
      }
      ordered.add(same);
    }
    return ordered;
  }

  /** Whether a step makes an image, and does not hand one on. */
  private boolean isNew(Step step) {
    PointwiseBody body = combining(step);
    return step.results.length == 1
        && groups.containsKey(step.results[0])
        && (body == null ? has(step, Trait.ORDERS) : !body.inPlace());
  }
}
