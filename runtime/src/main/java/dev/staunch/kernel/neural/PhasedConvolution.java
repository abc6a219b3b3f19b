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
 * Transposed convolutions as plain convolutions. The pixels of the result whose places have the
 * same remainders by the strides, a phase, all meet the same elements of the kernel, so that each
 * phase is the convolution of the image with a kernel of its own, which is kept if the weight is a
 * constant. Shapes and the weight's numbers alone decide whether the sums are computed so, because
 * those of {@link TransposedConvolution} have other last bits.
 *
 * @param down how the kernel moves from row to row
 * @param across how it moves from column to column
 */
record PhasedConvolution(Steps steps, Line down, Line across, long groups) {
  /** Beyond so many phases, each of which reads the image, sums of columns are faster. */
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
    List<Object> kernels = new ArrayList<>();
    for (long y = 0; y < down.stride; y++) {
      for (long x = 0; x < across.stride; x++) {
        Kernel kernel = new Kernel(down.taps(y), across.taps(x), groups);
        Object made = steps.once(weight, kernel, kernel::of);
        if (made instanceof Fault) {
          return made;
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

  private static Object isFinite(Steps steps, Object weight) {
    return steps.run("all", steps.run("isfinite", weight));
  }

  private static boolean isTrue(DenseTensor tensor) {
    return Elements.asLong(tensor.segment(), tensor.dtype(), tensor.layout().offset()) != 0;
  }

  /** The kernel of a phase: also its key among all forms of a constant weight. */
  private record Kernel(Taps down, Taps across, long groups) {
    Object of(Steps steps, Object weight) {
      Shape shape = Steps.form(weight).shape();
      Object planes = steps.view(weight, shape.size(0), shape.size(1), down.kernel, across.kernel);
      Object rows = steps.run("slice.Tensor", planes, 2L, down.first, down.kernel, down.stride);
      Object part = steps.run("slice.Tensor", rows, 3L, across.first, across.kernel, across.stride);
      if (!Steps.isTensor(part)) {
        return part;
      }
      long[] sizes = Steps.form(part).shape().toArray();
      long inputs = sizes[0] / groups;
      Object split = steps.view(part, groups, inputs, sizes[1], sizes[2], sizes[3]);
      Object turned = steps.run("permute", split, Steps.ints(0, 2, 1, 3, 4));
      Object whole = steps.view(turned, groups * sizes[1], inputs, sizes[2], sizes[3]);
      return steps.run("contiguous", steps.run("flip", whole, Steps.ints(2, 3)));
    }
  }
}
