package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.type.Shape;
import java.util.Arrays;

/** Dimension arguments; negative ones count from the end. */
public final class Dimensions {
  private Dimensions() {}

  /**
   * {@code dim} as a non-negative {@code Integer}, or a fault; a scalar counts as having one
   * dimension.
   */
  public static Object wrap(long dim, int rank) {
    int size = Math.max(rank, 1);
    if (dim < -size || dim >= size) {
      String range = Message.of("[-%d, %d]", size, size - 1);
      return Fault.index(
              Message.of(
                  "dimension %d is out of range; there are those from %d to %d",
                  dim, -size, size - 1))
          .withExpected("a dimension in " + range, Long.toString(dim));
    }
    return (int) (dim < 0 ? dim + size : dim);
  }

  /**
   * A bit mask of the dimensions in {@code dims}, or of all dimensions if it is empty; or a fault.
   */
  public static Object mask(long[] dims, int rank) {
    boolean[] mask = new boolean[Math.max(rank, 1)];
    if (dims.length == 0) {
      Arrays.fill(mask, true);
    }
    for (long dim : dims) {
      Object wrapped = wrap(dim, rank);
      if (wrapped instanceof Fault fault) {
        return fault;
      }
      int at = (Integer) wrapped;
      if (mask[at]) {
        return Fault.value("dimension " + at + " is named more than once");
      }
      mask[at] = true;
    }
    return mask;
  }

  /** Whether one of the numbers is less than {@code least}. */
  public static boolean anyBelow(long least, long... numbers) {
    for (long number : numbers) {
      if (number < least) {
        return true;
      }
    }
    return false;
  }

  /** A number for each of {@code count} dimensions: a single value counts for all of them. */
  public static long[] each(long[] values, int count) {
    if (values.length != 1) {
      return values;
    }
    long[] all = new long[count];
    Arrays.fill(all, values[0]);
    return all;
  }

  /** A shape with one dimension of {@code size} at {@code dim}, all others 1. */
  public static Shape single(int rank, int dim, long size) {
    long[] sizes = new long[rank];
    Arrays.fill(sizes, 1);
    sizes[dim] = size;
    return Shape.of(sizes);
  }
}
