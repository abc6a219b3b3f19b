package dev.staunch.kernel.volume;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Treats volumes as images: first the planes, then the depth, each by an operation over two
 * dimensions.
 */
final class Volumes {
  private Volumes() {}

  /** The fault for an input that is not a volume; else null. */
  static @Nullable Fault misfit(String name, TensorForm input) {
    if (input.rank() == 4 || input.rank() == 5) {
      return null;
    }
    String text = "%s takes an input of 4 dimensions, or 5 with a batch, but its shape is %s";
    return OperandChecks.shape(
        Message.of(text, name, input.shape()), "4 or 5 dimensions", input.shape());
  }

  /** {@code values}, with a single value repeated for all three dimensions. */
  static long[] three(long[] values) {
    return values.length == 1 ? new long[] {values[0], values[0], values[0]} : values;
  }

  /** A volume with its leading dimensions joined into one: [N * C, D, H, W]. */
  static Object flat(Steps steps, Object input) {
    long[] sizes = Steps.form(input).shape().toArray();
    int rank = sizes.length;
    long lines = rank == 5 ? sizes[0] * sizes[1] : sizes[0];
    return steps.view(input, lines, sizes[rank - 3], sizes[rank - 2], sizes[rank - 1]);
  }

  /** An operation on images [N, C, H, W] that changes their sizes. */
  interface OfPictures {
    Object apply(Object pictures);
  }

  /**
   * {@code flat} applied to the input, which is then changed in height and width, then in depth;
   * the result has all of the input's dimensions again.
   *
   * @param depth gets the depth as the height of images as wide as a plane has elements
   */
  static Object inTurn(Steps steps, Object input, OfPictures planes, OfPictures depth) {
    Object slices = planes.apply(flat(steps, input));
    if (!Steps.isTensor(slices)) {
      return slices;
    }
    Shape sizes = Steps.form(slices).shape();
    Object deep = depth.apply(upright(steps, slices, sizes));
    return volume(steps, deep, Steps.form(input).shape(), sizes);
  }

  /** Slices [N, D, H, W] as images [N, 1, D, H * W], with the depth as their height. */
  static Object upright(Steps steps, Object slices, Shape sizes) {
    return steps.view(slices, sizes.size(0), 1, sizes.size(1), plane(sizes));
  }

  /** The number of elements in a plane of slices [N, D, H, W]. */
  static long plane(Shape slices) {
    return slices.size(2) * slices.size(3);
  }

  /**
   * The inverse, for images whose height has changed; or a fault.
   *
   * @param input the shape of the original volume
   * @param slices the sizes of the slices
   */
  static Object volume(Steps steps, Object upright, Shape input, Shape slices) {
    if (!Steps.isTensor(upright)) {
      return upright;
    }
    long[] sizes = input.toArray();
    sizes[sizes.length - 3] = Steps.form(upright).shape().size(2);
    sizes[sizes.length - 2] = slices.size(2);
    sizes[sizes.length - 1] = slices.size(3);
    return steps.run("contiguous", steps.view(upright, sizes));
  }
}
