package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transposed convolutions with a constant weight, as plain convolutions. The pixels of the result
 * whose places have the same remainders by the strides, a phase, all meet the same elements of the
 * kernel, so that each phase is the convolution of the image with a kernel of its own.
 *
 * @param down how the kernel moves from row to row
 * @param across how it moves from column to column
 */
record PhasedConvolution(Steps steps, Line down, Line across, long groups) {
  /** Beyond so many phases, each of which reads the image, sums of columns are faster. */
  private static final long MOST_PHASES = 16;

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

    private Taps taps(long phase) {
      return new Taps(first(phase), kernel, stride);
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

    /** The padding of a convolution that computes all of its sums, and maybe others. */
    long around(long phase) {
      return Math.max(0, Math.max(before(phase), after(phase)));
    }
  }

  /** Whether each phase meets an element of the kernel, and there are few. */
  boolean fits() {
    return down.kernel >= down.stride
        && across.kernel >= across.stride
        && Math.max(down.stride, across.stride) <= MOST_PHASES
        && down.stride * across.stride <= MOST_PHASES;
  }

  /**
   * The result, or a fault; null if the weight may change, or has an element that is not finite:
   * that must not meet the zeros around the image.
   *
   * @param images [n, c, h, w]
   * @param weight [c, outputs per group, kernel], of images or of lines
   */
  @Nullable Object run(Object images, Object weight, Object bias) {
    List<Object> kernels = new ArrayList<>();
    for (long y = 0; y < down.stride; y++) {
      for (long x = 0; x < across.stride; x++) {
        Kernel kernel = new Kernel(down.taps(y), across.taps(x), groups);
        Object made = steps.derived(weight, kernel, kernel::of);
        if (made == null) {
          return null;
        }
        kernels.add(made);
      }
    }
    long count = Steps.form(images).shape().size(0);
    long outputs = Steps.form(kernels.getFirst()).shape().size(0);
    Object result =
        steps.run("new_empty", images, Steps.ints(count, outputs, down.result, across.result));
    Object fault = result instanceof Fault ? result : null;
    for (int i = 0; i < kernels.size() && fault == null; i++) {
      Object filled =
          fill(result, images, kernels.get(i), bias, i / across.stride, i % across.stride);
      fault = filled instanceof Fault ? filled : null;
    }
    return fault == null ? result : fault;
  }

  /** Fills a phase of the result. */
  private Object fill(Object result, Object images, Object kernel, Object bias, long y, long x) {
    if (down.size(y) == 0 || across.size(x) == 0) {
      return result;
    }
    Object sums =
        steps.keeping(
            "conv2d",
            images,
            kernel,
            bias,
            Steps.ints(1, 1),
            Steps.ints(down.around(y), across.around(x)),
            Steps.ints(1, 1),
            groups);
    Object place = steps.run("slice.Tensor", result, 2L, y, down.result, down.stride);
    place = steps.run("slice.Tensor", place, 3L, x, across.result, across.stride);
    return steps.run("copy_", place, phase(phase(sums, 2, down, y), 3, across, x));
  }

  private Object phase(Object sums, long dimension, Line line, long phase) {
    long first = line.around(phase) - line.before(phase);
    return steps.run("narrow", sums, dimension, first, line.size(phase));
  }

  /** The elements of a line of the kernel that meet a phase. */
  private record Taps(long first, long kernel, long stride) {}

  /** The kernel of a phase: also its key among all forms of a constant weight. */
  private record Kernel(Taps down, Taps across, long groups) {
    /** A fault if an element of the weight is not finite. */
    Object of(Steps steps, Object weight) {
      Object finite = steps.run("all", steps.run("isfinite", weight));
      if (!(finite instanceof DenseTensor all)
          || Elements.asLong(all.segment(), all.dtype(), all.layout().offset()) == 0) {
        return Fault.value("the weight is not finite");
      }
      Shape shape = Steps.form(weight).shape();
      long inputs = shape.size(0) / groups;
      long outputs = shape.size(1);
      Object split = steps.view(weight, groups, inputs, outputs, down.kernel, across.kernel);
      Object turned = steps.run("permute", split, Steps.ints(0, 2, 1, 3, 4));
      Object whole = steps.view(turned, groups * outputs, inputs, down.kernel, across.kernel);
      Object rows = steps.run("slice.Tensor", whole, 2L, down.first, down.kernel, down.stride);
      Object part = steps.run("slice.Tensor", rows, 3L, across.first, across.kernel, across.stride);
      return steps.run("contiguous", steps.run("flip", part, Steps.ints(2, 3)));
    }
  }
}
