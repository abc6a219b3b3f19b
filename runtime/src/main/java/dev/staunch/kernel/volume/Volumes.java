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
   * @param depth gets the depth as the height of images that are one element wide
   */
  static Object inTurn(Steps steps, Object input, OfPictures planes, OfPictures depth) {
    Object slices = planes.apply(flat(steps, input));
    if (!Steps.isTensor(slices)) {
      return slices;
    }
    Shape sizes = Steps.form(slices).shape();
    Object deep = depth.apply(columns(steps, slices, sizes));
    return volume(steps, deep, Steps.form(input).shape(), sizes);
  }

  /** Slices [N, D, H, W] as columns [N, H * W, D, 1]. */
  static Object columns(Steps steps, Object slices, Shape sizes) {
    Object turned = steps.run("permute", slices, Steps.ints(0, 2, 3, 1));
    return steps.view(turned, sizes.size(0), sizes.size(2) * sizes.size(3), sizes.size(1), 1);
  }

  /**
   * The inverse, for columns whose depth has changed; or a fault.
   *
   * @param input the shape of the original volume
   * @param slices the sizes of the slices
   */
  static Object volume(Steps steps, Object columns, Shape input, Shape slices) {
    if (!Steps.isTensor(columns)) {
      return columns;
    }
    long depth = Steps.form(columns).shape().size(2);
    long[] sizes = input.toArray();
    sizes[sizes.length - 3] = depth;
    sizes[sizes.length - 2] = slices.size(2);
    sizes[sizes.length - 1] = slices.size(3);
    Object apart = steps.view(columns, slices.size(0), slices.size(2), slices.size(3), depth);
    Object whole = steps.view(steps.run("permute", apart, Steps.ints(0, 3, 1, 2)), sizes);
    return steps.run("contiguous", whole);
  }
}
