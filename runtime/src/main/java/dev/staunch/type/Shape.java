package dev.staunch.type;

import java.util.Arrays;

/** Sizes of a tensor's dimensions; immutable. A scalar has none. */
public final class Shape {
  public static final Shape SCALAR = new Shape(new long[0]);
  private final long[] sizes;
  private final long elements;

  private Shape(long[] sizes) {
    this.sizes = sizes;
    long product = 1;
    for (long size : sizes) {
      if (size < 0) {
        throw new IllegalArgumentException(
            "a size must not be negative, but there is one in " + Arrays.toString(sizes));
      }
      product = Math.multiplyExact(product, size);
    }
    this.elements = product;
  }

  /**
   * @throws IllegalArgumentException for a negative size
   * @throws ArithmeticException if the number of elements exceeds a long
   */
  public static Shape of(long... sizes) {
    return sizes.length == 0 ? SCALAR : new Shape(sizes.clone());
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
