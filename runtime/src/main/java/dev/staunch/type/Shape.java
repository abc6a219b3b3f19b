package dev.staunch.type;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sizes of a tensor's dimensions; immutable. A scalar has none. */
public final class Shape {
  public static final Shape SCALAR = new Shape(new long[0], 1);
  private final long[] sizes;
  private final long elements;

  private Shape(long[] sizes, long elements) {
    this.sizes = sizes;
    this.elements = elements;
  }

  /**
   * The shape of these sizes.
   *
   * @throws StaunchException.ShapeException if there is none, see {@link #misfit}
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
   * Why there is no shape of these sizes, for who may not throw; null if there is one. A size may
   * not be negative, nor the product of those that are not 0 exceed a long.
   */
  public static @Nullable Fault misfit(long... sizes) {
    return elements(sizes) < 0 ? impossible(sizes) : null;
  }

  /**
   * A size, or a number of elements, for who counts in ints.
   *
   * @throws StaunchException.ShapeException if an int cannot count it
   */
  public static int asInt(long size) {
    if (size != (int) size) {
      String text = "a size of %d is beyond the %d that this operation can count";
      throw Fault.shape(Message.of(text, size, Integer.MAX_VALUE)).toUnreadException();
    }
    return (int) size;
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

  /** Elements of a shape; -1 if there is none. */
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

  /** Whether {@code other}, but for leading sizes of 1, is what this ends with. */
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
