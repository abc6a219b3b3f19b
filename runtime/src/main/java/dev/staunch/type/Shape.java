package dev.staunch.type;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sizes of a tensor's dimensions; immutable. A scalar has no dimensions. */
public final class Shape {
  public static final Shape SCALAR = new Shape(new long[0], 1);
  private final long[] sizes;
  private final long elements;

  private Shape(long[] sizes, long elements) {
    this.sizes = sizes;
    this.elements = elements;
  }

  /**
   * The shape with these sizes.
   *
   * @throws StaunchException.ShapeException if the sizes are invalid, see {@link #misfit}
   */
  public static Shape of(long... sizes) {
    if (sizes.length == 0) {
      return SCALAR;
    }
    long[] own = sizes.clone();
    long elements = elements(own);
    if (elements < 0) {
      throw impossible(own).toUnreadException();
    }
    return new Shape(own, elements);
  }

  /**
   * The fault that says why these sizes are not a shape, for callers that must not throw; null if
   * they are one. No size may be negative, and the product of the non-zero sizes must fit in a
   * long.
   */
  public static @Nullable Fault misfit(long... sizes) {
    return elements(sizes) < 0 ? impossible(sizes) : null;
  }

  /**
   * A size or an element count as an int.
   *
   * @throws StaunchException.ShapeException if it does not fit in an int
   */
  public static int asInt(long size) {
    if (size != (int) size) {
      throw beyond(size, Integer.MAX_VALUE);
    }
    return (int) size;
  }

  /**
   * As {@link #asInt(long)}, for loops in steps, which need room between {@code most} and the
   * largest int.
   *
   * @throws StaunchException.ShapeException if it exceeds {@code most}
   */
  public static int asInt(long size, int most) {
    if (size != (int) size || size > most) {
      throw beyond(size, most);
    }
    return (int) size;
  }

  private static StaunchException beyond(long size, int most) {
    String text = "a size of %d is beyond the %d that this operation can count";
    return Fault.shape(Message.of(text, size, most)).toUnreadException();
  }

  private static Fault impossible(long[] sizes) {
    String text = Arrays.toString(sizes);
    for (long size : sizes) {
      if (size < 0) {
        return Fault.shape("the shape " + text + " has a negative size");
      }
    }
    return Fault.shape("the shape " + text + " has more elements than a long can count");
  }

  /** The number of elements of a shape; -1 if the sizes are invalid. */
  private static long elements(long[] sizes) {
    long steps = 1;
    boolean empty = false;
    for (long size : sizes) {
      if (size < 0 || Math.multiplyHigh(steps, size) != 0 || steps * size < 0) {
        return -1;
      }
      empty |= size == 0;
      steps *= size == 0 ? 1 : size; // so that strides can be counted too
    }
    return empty ? 0 : steps;
  }

  public int rank() {
    return sizes.length;
  }

  /** The size of dimension {@code dim}, counted from 0. */
  public long size(int dim) {
    return sizes[dim];
  }

  public long elements() {
    return elements;
  }

  public long[] toArray() {
    return sizes.clone();
  }

  /** Strides, in elements, of the row-major layout. */
  public long[] contiguousStrides() {
    long[] strides = new long[sizes.length];
    long step = 1;
    for (int i = sizes.length - 1; i >= 0; i--) {
      strides[i] = step;
      step *= Math.max(1, sizes[i]);
    }
    return strides;
  }

  /** Whether this shape ends with {@code other}, ignoring leading sizes of 1 in {@code other}. */
  public boolean endsWith(Shape other) {
    long[] tail = other.sizes;
    int from = 0;
    while (from < tail.length && tail[from] == 1) {
      from++;
    }
    int lead = sizes.length - tail.length;
    return lead >= 0 && Arrays.equals(sizes, lead + from, sizes.length, tail, from, tail.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that && Arrays.equals(sizes, that.sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  /** As Python prints it: {@code [3, 15]}. */
  @Override
  public String toString() {
    return Arrays.toString(sizes);
  }
}
