package dev.staunch.kernel.primitive;

import dev.staunch.type.Shape;

/**
 * How a kernel slides along one dimension.
 *
 * @param before padding in front of the first element
 * @param after padding after the last element
 */
public record Window(int kernel, int stride, int before, int after, int dilation) {

  /** Whether each position is exactly one element of the input, in order. */
  public boolean isPoint() {
    return kernel == 1 && stride == 1 && before == 0 && after == 0;
  }

  /**
   * The number of input elements that one position covers, gaps included; saturates at the largest
   * int.
   */
  public int extent() {
    return (int) Math.min(Integer.MAX_VALUE, covered());
  }

  private long covered() {
    return (long) dilation * (kernel - 1) + 1;
  }

  /**
   * The number of positions of the window over {@code size} elements; not positive if it does not
   * fit.
   *
   * @throws dev.staunch.fault.StaunchException if the elements and the padding together exceed an
   *     int, or the last position reaches further; below that limit, every position of a window
   *     that fits is an int
   */
  public int outputs(int size, boolean ceiling) {
    long room = Shape.asInt((long) size + before + after) - covered();
    long steps = Math.floorDiv(room + (ceiling ? stride - 1 : 0), (long) stride);
    boolean startsInPadding = ceiling && steps * stride >= (long) size + before;
    long outputs = Math.max(0, steps + (startsInPadding ? 0 : 1));
    if (ceiling && outputs > 0) {
      Shape.asInt((outputs - 1) * stride - before + covered());
    }
    return (int) outputs;
  }

  /** Whether a line of {@code size} elements is more than one step too short for the window. */
  public boolean isTooShort(int size, boolean ceiling) {
    long room = (long) size + before + after - covered();
    return room + (ceiling ? stride - 1 : 0) < -stride;
  }

  /** The input index of the window's element {@code tap}; may be in the padding. */
  public int at(int output, int tap) {
    return output * stride - before + tap * dilation;
  }

  /** The first position at which the element {@code tap} is past the leading padding. */
  public int firstInside(int tap) {
    return Math.max(0, Math.ceilDiv(before - tap * dilation, stride));
  }

  /** The first position at which the element {@code tap} is beyond {@code size} elements. */
  public int endInside(int tap, int size) {
    return Math.max(0, Math.ceilDiv(size + before - tap * dilation, stride));
  }

  /** The first element of the window that is past the leading padding. */
  public int firstTap(int output) {
    int start = at(output, 0);
    return start >= 0 ? 0 : Math.ceilDiv(-start, dilation);
  }

  /** The first element of the window that is beyond {@code size} elements. */
  public int endTap(int output, int size) {
    int start = at(output, 0);
    return start + covered() <= size ? kernel : Math.ceilDiv(size - start, dilation);
  }
}
