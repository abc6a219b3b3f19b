package dev.staunch.type;

import dev.staunch.fault.Message;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How a tensor's elements lie in its storage: shape, strides and offset, all counted in elements.
 * Strides may be 0 (expanded dimensions) but never negative.
 */
public final class Layout {
  private final Shape shape;
  private final long[] strides;
  private final long offset;
  private final boolean contiguous;
  private final boolean turned;

  public Layout(Shape shape, long[] strides, long offset) {
    this(shape, strides, offset, /* turned= */ false);
  }

  private Layout(Shape shape, long[] strides, long offset, boolean turned) {
    if (strides.length != shape.rank() || offset < 0) {
      throw new IllegalArgumentException(
          Message.of("%d strides at offset %d do not fit shape %s", strides.length, offset, shape));
    }
    for (long stride : strides) {
      if (stride < 0) {
        throw new IllegalArgumentException(
            "a stride must not be negative, but there is one in " + Arrays.toString(strides));
      }
    }
    this.shape = shape;
    this.strides = strides.clone();
    this.offset = offset;
    this.contiguous = isRowMajor(shape, strides);
    this.turned = turned;
  }

  private Layout(Shape shape) {
    this.shape = shape;
    this.strides = shape.contiguousStrides();
    this.offset = 0;
    this.contiguous = true;
    this.turned = false;
  }

  public static Layout contiguous(Shape shape) {
    return new Layout(shape);
  }

  /**
   * A layout without gaps, row-major except that the second dimension is innermost: PyTorch's
   * channels-last memory format.
   *
   * @param shape of two dimensions or more
   */
  public static Layout channelsLast(Shape shape) {
    return channelsLast(shape, /* turned= */ false);
  }

  /** As {@link #channelsLast}, for a tensor that the program must see as row-major. */
  public static Layout turned(Shape shape) {
    return channelsLast(shape, /* turned= */ true);
  }

  private static Layout channelsLast(Shape shape, boolean turned) {
    long[] strides = new long[shape.rank()];
    long step = shape.size(1);
    strides[1] = 1;
    for (int d = strides.length - 1; d > 1; d--) {
      strides[d] = step;
      step *= shape.size(d);
    }
    strides[0] = step;
    return new Layout(shape, strides, 0, turned);
  }

  private static boolean isRowMajor(Shape shape, long[] strides) {
    long step = 1;
    for (int i = shape.rank() - 1; i >= 0; i--) {
      if (shape.size(i) != 1) {
        if (strides[i] != step) {
          return shape.elements() == 0;
        }
        step *= shape.size(i);
      }
    }
    return true;
  }

  public Shape shape() {
    return shape;
  }

  public long stride(int dim) {
    return strides[dim];
  }

  public long[] strides() {
    return strides.clone();
  }

  public long offset() {
    return offset;
  }

  /** Whether the elements lie in row-major order without gaps, starting at {@link #offset()}. */
  public boolean isContiguous() {
    return contiguous;
  }

  /**
   * Whether the strides are exactly those of a new {@link #contiguous} tensor, even in dimensions
   * of size 1. There the strides address no element but may {@linkplain #suggestsChannelsLast
   * suggest} another order.
   */
  public boolean isAsNew() {
    long step = 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      if (strides[d] != step) {
        return false;
      }
      step *= Math.max(1, shape.size(d));
    }
    return true;
  }

  /**
   * Whether the elements lie as in {@link #channelsLast}, starting at {@link #offset()}. With one
   * channel, or one element per channel, that is row-major order too.
   */
  public boolean isChannelsLast() {
    if (shape.rank() < 2) {
      return false;
    }
    long step = shape.size(1);
    boolean last = step == 1 || strides[1] == 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      if (d != 1 && shape.size(d) != 1) {
        last &= strides[d] == step;
        step *= shape.size(d);
      }
    }
    return last;
  }

  /** Whether the elements lie in an order that the program must not see: {@link #turned(Shape)}. */
  public boolean isTurned() {
    return turned;
  }

  /** The layout as the program sees it: row-major if this is {@linkplain #isTurned turned}. */
  public Layout asWritten() {
    return turned ? contiguous(shape) : this;
  }

  /**
   * Whether PyTorch treats this as an image or a volume in channels-last order, and creates results
   * from it in the same order. Gaps are allowed. If the elements lie in both orders at once, the
   * strides decide.
   *
   * <p>Source: c10/core/MemoryFormat.h, is_channels_last_strides_2d and _3d.
   */
  public boolean suggestsChannelsLast() {
    int rank = strides.length;
    if (turned || rank < 4 || rank > 5 || strides[1] == 0) {
      return false;
    }
    long least = 0;
    for (int i = 0; i < rank; i++) {
      int dim = i == 0 ? 1 : i == rank - 1 ? 0 : rank - i;
      long stride = strides[dim];
      long size = shape.size(dim);
      if (size == 0 || stride < least || (dim == 0 && least == strides[1])) {
        return false;
      }
      least = size > 1 ? stride * size : stride;
    }
    return true;
  }

  /**
   * Whether the first {@code places} elements of a storage are exactly the elements of this layout,
   * each once, in any order.
   */
  public boolean covers(long places) {
    if (offset != 0 || shape.elements() != places) {
      return false;
    }
    return contiguous || isWithoutGaps();
  }

  /**
   * Whether the strides in rising order are the running products of the sizes, beginning with 1.
   */
  private boolean isWithoutGaps() {
    long step = 1;
    for (int dim = dimOf(step); dim >= 0; dim = dimOf(step)) {
      step *= shape.size(dim);
    }
    return step == shape.elements();
  }

  /** The dimension of size above 1 with this stride, or -1. */
  private int dimOf(long stride) {
    for (int i = 0; i < strides.length; i++) {
      if (strides[i] == stride && shape.size(i) != 1) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The number of elements that a storage must hold so that every index of this layout lies inside
   * it.
   *
   * @throws ArithmeticException if that exceeds a long
   */
  public long extent() {
    if (shape.elements() == 0) {
      return offset;
    }
    long last = offset;
    for (int i = 0; i < shape.rank(); i++) {
      last = Math.addExact(last, Math.multiplyExact(shape.size(i) - 1, strides[i]));
    }
    return Math.addExact(last, 1);
  }

  /**
   * Whether several elements may have one position. It is so unless each stride passes over all
   * that the smaller strides reach.
   */
  public boolean mayOverlap() {
    if (isContiguous()) {
      return false;
    }
    Integer[] dims =
        IntStream.range(0, shape.rank())
            .filter(dim -> shape.size(dim) > 1)
            .boxed()
            .sorted(Comparator.comparingLong(dim -> strides[dim]))
            .toArray(Integer[]::new);
    long reach = 0;
    for (int dim : dims) {
      long stride = strides[dim];
      if (stride <= reach) {
        return shape.elements() > 0;
      }
      reach += (shape.size(dim) - 1) * stride;
    }
    return false;
  }

  /** Whether {@code other} is the same layout, except perhaps for its offset. */
  public boolean isLike(Layout other) {
    return turned == other.turned
        && shape.equals(other.shape)
        && Arrays.equals(strides, other.strides);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Layout that && offset == that.offset && isLike(that);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * shape.hashCode() + Arrays.hashCode(strides)) + Long.hashCode(offset);
  }

  @Override
  public String toString() {
    return shape + " strides " + Arrays.toString(strides) + " offset " + offset;
  }
}
