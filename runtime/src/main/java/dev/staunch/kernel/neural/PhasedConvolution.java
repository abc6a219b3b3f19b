package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transposed convolutions as plain convolutions. The pixels of the result whose places have the
 * same remainders by the strides, a phase, all meet the same elements of the kernel, so that each
 * phase is the convolution of the image with a kernel of its own. Those with kernels of one size
 * are computed together, as different channels. The kernels are kept if the weight is a constant.
 * Shapes and the weight's numbers alone decide whether the sums are computed so, because those of
 * {@link TransposedConvolution} have other last bits.
 *
 * @param down how the kernel moves from row to row
 * @param across how it moves from column to column
 */
record PhasedConvolution(Steps steps, Line down, Line across, long groups) {
  /** Beyond so many phases, which are copied one by one, sums of columns are faster. */
  private static final long MOST_PHASES = 16;

  /** Nor are so many sums for each pixel of a line that a phase reads. */
  private static final double MOST_SUMS = 2;

  /** What is made of a weight, other than kernels. */
  private enum Format {
    IS_FINITE
  }

  /**
   * One dimension.
   *
   * @param pixels the size of the image
   * @param result the size of the result
   */
  record Line(long pixels, long kernel, long stride, long padding, long result) {
    /** The first element of the kernel that meets a phase. */
    long first(long phase) {
      return (phase + padding) % stride;
    }

    /** The number of elements that meet it. */
    long count(long phase) {
      return (kernel - first(phase) + stride - 1) / stride;
    }

    /** The phases that meet {@code count} elements, and have pixels. */
    List<Long> phases(long count) {
      List<Long> phases = new ArrayList<>();
      for (long phase = 0; phase < stride; phase++) {
        if (count(phase) == count && size(phase) > 0) {
          phases.add(phase);
        }
      }
      return phases;
    }

    /** The numbers of elements that phases meet. */
    List<Long> counts() {
      long most = (kernel + stride - 1) / stride;
      return kernel % stride == 0 ? List.of(most) : List.of(most, most - 1);
    }

    private Taps taps(List<Long> phases) {
      return new Taps(phases.stream().map(this::first).toList(), kernel, stride);
    }

    /** The number of its pixels. */
    long size(long phase) {
      return Math.max(0, (result - phase + stride - 1) / stride);
    }

    /** How many pixels before the image its first sum begins; negative after the first pixel. */
    long before(long phase) {
      return count(phase) - 1 - (phase + padding - first(phase)) / stride;
    }

    /** How many pixels behind the image its last sum ends. */
    long after(long phase) {
      return size(phase) - 1 - before(phase) + count(phase) - pixels;
    }

    /** The padding of a convolution that computes all sums of some phases, and maybe others. */
    long around(List<Long> phases) {
      long around = 0;
      for (long phase : phases) {
        around = Math.max(around, Math.max(before(phase), after(phase)));
      }
      return around;
    }
  }

  /**
   * Whether each phase meets an element of the kernel, there are few, and most sums meet pixels
   * rather than the zeros around the image.
   */
  boolean fits() {
    if (Math.max(down.stride, across.stride) > MOST_PHASES
        || down.stride * across.stride > MOST_PHASES) {
      return false;
    }
    return down.kernel >= down.stride
        && across.kernel >= across.stride
        && down.result <= MOST_SUMS * down.stride * down.pixels
        && across.result <= MOST_SUMS * across.stride * across.pixels;
  }

  /**
   * The result, or a fault; null if the weight is only a form, or has an element that is not
   * finite: that must not meet the zeros around the image.
   *
   * @param images [n, c, h, w]
   * @param weight [c, outputs per group, kernel], of images or of lines
   */
  @Nullable Object run(Object images, Object weight, Object bias) {
    Object finite = steps.once(weight, Format.IS_FINITE, PhasedConvolution::isFinite);
    if (finite instanceof Fault) {
      return finite;
    }
    if (!(finite instanceof DenseTensor all) || !isTrue(all)) {
      return null;
    }
    long count = Steps.form(images).shape().size(0);
    long outputs = Steps.form(weight).shape().size(1);
    Object result =
        steps.run(
            "new_empty", images, Steps.ints(count, groups, outputs, down.result, across.result));
    for (long rows : down.counts()) {
      for (long columns : across.counts()) {
        Together phases = new Together(down.phases(rows), across.phases(columns));
        Object filled = phases.count() == 0 ? result : fill(result, phases, images, weight, bias);
        if (filled instanceof Fault) {
          return filled;
        }
      }
    }
    return steps.view(result, count, groups * outputs, down.result, across.result);
  }

  /** Phases whose kernels have one size: each of {@code down} with each of {@code across}. */
  private record Together(List<Long> down, List<Long> across) {
    int count() {
      return down.size() * across.size();
    }
  }

  /** Fills some phases of the result, [n, groups, outputs, h, w]. */
  private Object fill(Object result, Together phases, Object images, Object weight, Object bias) {
    Kernel kernel = new Kernel(down.taps(phases.down), across.taps(phases.across), groups);
    Object sums =
        steps.keeping(
            "conv2d",
            images,
            steps.once(weight, kernel, kernel::of),
            repeated(bias, phases.count()),
            Steps.ints(1, 1),
            Steps.ints(down.around(phases.down), across.around(phases.across)),
            Steps.ints(1, 1),
            groups);
    if (!Steps.isTensor(sums)) {
      return sums;
    }
    long[] sizes = Steps.form(sums).shape().toArray();
    Object each = steps.view(sums, sizes[0], groups, phases.count(), -1, sizes[2], sizes[3]);
    Object filled = result;
    for (int i = 0; i < phases.count() && !(filled instanceof Fault); i++) {
      long y = phases.down.get(i / phases.across.size());
      long x = phases.across.get(i % phases.across.size());
      Object rows = narrow(steps.run("select.int", each, 2L, (long) i), 3, down, phases.down, y);
      Object place = steps.run("slice.Tensor", result, 3L, y, down.result, down.stride);
      place = steps.run("slice.Tensor", place, 4L, x, across.result, across.stride);
      filled = steps.run("copy_", place, narrow(rows, 4, across, phases.across, x));
    }
    return filled;
  }

  private Object narrow(Object sums, long dimension, Line line, List<Long> phases, long phase) {
    long first = line.around(phases) - line.before(phase);
    return steps.run("narrow", sums, dimension, first, line.size(phase));
  }

  /** The bias of each group's outputs for each of {@code phases}. */
  private Object repeated(Object bias, long phases) {
    return bias instanceof None
        ? bias
        : steps.view(
            steps.run("expand", steps.view(bias, groups, 1, -1), Steps.ints(-1, phases, -1)), -1);
  }

  /** The elements of a line of the kernel that phases meet, from the first of each. */
  private record Taps(List<Long> firsts, long kernel, long stride) {}

  private static Object isFinite(Steps steps, Object weight) {
    return steps.run("all", steps.run("isfinite", weight));
  }

  private static boolean isTrue(DenseTensor tensor) {
    return Elements.asLong(tensor.segment(), tensor.dtype(), tensor.layout().offset()) != 0;
  }

  /** The kernels of some phases: also the key among all forms of a constant weight. */
  private record Kernel(Taps down, Taps across, long groups) {
    Object of(Steps steps, Object weight) {
      Shape shape = Steps.form(weight).shape();
      Object planes =
          steps.view(
              weight, groups, shape.size(0) / groups, shape.size(1), down.kernel, across.kernel);
      List<Object> parts = new ArrayList<>();
      for (long y : down.firsts) {
        Object rows = steps.run("slice.Tensor", planes, 3L, y, down.kernel, down.stride);
        for (long x : across.firsts) {
          parts.add(steps.run("slice.Tensor", rows, 4L, x, across.kernel, across.stride));
        }
      }
      Object stack = steps.run("stack", parts, 1L);
      if (!Steps.isTensor(stack)) {
        return stack;
      }
      long[] sizes = Steps.form(stack).shape().toArray();
      Object turned = steps.run("permute", stack, Steps.ints(0, 1, 3, 2, 4, 5));
      Object flipped = steps.run("flip", turned, Steps.ints(4, 5));
      return steps.run("contiguous", steps.view(flipped, -1, sizes[2], sizes[4], sizes[5]));
    }
  }
}
