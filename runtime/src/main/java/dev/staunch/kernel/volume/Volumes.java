package dev.staunch.kernel.volume;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.TensorForm;
import org.jspecify.annotations.Nullable;

/** Volumes as pictures: planes first, then depth, each by an operation over two dimensions. */
final class Volumes {
  private Volumes() {}

  /** The fault of an input that is no volume, or null. */
  static @Nullable Fault misfit(String name, TensorForm input) {
    if (input.rank() == 4 || input.rank() == 5) {
      return null;
    }
    String text = "%s takes an input of 4 dimensions, or 5 with a batch, but its shape is %s";
    return OperandChecks.shape(
        Message.of(text, name, input.shape()), "4 or 5 dimensions", input.shape());
  }

  /** {@code values}, the only one of them as many times as there are dimensions. */
  static long[] three(long[] values) {
    return values.length == 1 ? new long[] {values[0], values[0], values[0]} : values;
  }

  /** The first or the only dimensions of a volume as one: [N * C, D, H, W]. */
  static Object flat(Steps steps, Object input) {
    long[] sizes = Steps.form(input).shape().toArray();
    int rank = sizes.length;
    long lines = rank == 5 ? sizes[0] * sizes[1] : sizes[0];
    return steps.view(input, lines, sizes[rank - 3], sizes[rank - 2], sizes[rank - 1]);
  }

  /** Something done to pictures [N, C, H, W], which have other sizes then. */
  interface OfPictures {
    Object apply(Object pictures);
  }

  /**
   * What {@code flat} gives, first changed in height and width, then in depth, with all of the
   * input's dimensions again.
   *
   * @param depth gets the depth as the height of pictures that are one element wide
   */
  static Object inTurn(Steps steps, Object input, OfPictures planes, OfPictures depth) {
    Object slices = planes.apply(flat(steps, input));
    if (!Steps.isTensor(slices)) {
      return slices;
    }
    long[] sizes = Steps.form(slices).shape().toArray();
    Object turned = steps.run("permute", slices, Steps.ints(0, 2, 3, 1));
    Object columns = steps.view(turned, sizes[0], sizes[2] * sizes[3], sizes[1], 1);
    Object deep = depth.apply(columns);
    if (!Steps.isTensor(deep)) {
      return deep;
    }
    long[] whole = Steps.form(input).shape().toArray();
    int rank = whole.length;
    whole[rank - 3] = Steps.form(deep).shape().size(2);
    whole[rank - 2] = sizes[2];
    whole[rank - 1] = sizes[3];
    Object apart = steps.view(deep, sizes[0], sizes[2], sizes[3], whole[rank - 3]);
    Object turnedBack = steps.view(steps.run("permute", apart, Steps.ints(0, 3, 1, 2)), whole);
    return steps.run("contiguous", turnedBack);
  }
}
