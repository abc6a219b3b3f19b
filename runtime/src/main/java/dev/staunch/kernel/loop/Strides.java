package dev.staunch.kernel.loop;

import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * Walks several layouts of one shape together: rows along a last dimension, after joining
 * dimensions wherever all layouts allow it.
 */
public final class Strides {
  private final long[] sizes;
  private final long[][] steps;
  private final long[] start;

  private Strides(long[] sizes, long[][] steps, long[] start) {
    this.sizes = sizes;
    this.steps = steps;
    this.start = start;
  }

  /** The walk over layouts of one shape. */
  public static Strides of(Layout... layouts) {
    int[] dims = new int[layouts[0].shape().rank()];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = i;
    }
    return of(dims, layouts);
  }

  /**
   * As {@link #of}, for callers that accept any order of the elements: dimensions are taken in the
   * memory order of the first layout, so that a permuted one has rows as long as a row-major one.
   */
  public static Strides inAnyOrder(Layout... layouts) {
    return of(memoryOrder(layouts[0]), layouts);
  }

  /** The dimensions of {@code layout} by decreasing stride. */
  public static int[] memoryOrder(Layout layout) {
    int[] dims = new int[layout.shape().rank()];
    for (int i = 0; i < dims.length; i++) {
      int at = i;
      for (; at > 0 && layout.stride(dims[at - 1]) < layout.stride(i); at--) {
        dims[at] = dims[at - 1];
      }
      dims[at] = i;
    }
    return dims;
  }

  /** Takes the dimensions in the order {@code dims}, from outermost to innermost. */
  private static Strides of(int[] dims, Layout... layouts) {
    Shape shape = layouts[0].shape();
    long[] sizes = new long[Math.max(shape.rank(), 1)];
    long[][] steps = new long[sizes.length][layouts.length];
    int last = -1;
    for (int d : dims) {
      if (shape.size(d) == 1) {
        continue;
      }
      boolean joins = last >= 0 && joins(layouts, steps[last], d);
      last += joins ? 0 : 1;
      sizes[last] = joins ? sizes[last] * shape.size(d) : shape.size(d);
      for (int k = 0; k < layouts.length; k++) {
        steps[last][k] = layouts[k].stride(d);
      }
    }
    long[] start = new long[layouts.length];
    for (int k = 0; k < layouts.length; k++) {
      start[k] = layouts[k].offset();
    }
    if (last < 0) {
      return new Strides(new long[] {1}, new long[1][layouts.length], start);
    }
    return new Strides(Arrays.copyOf(sizes, last + 1), Arrays.copyOf(steps, last + 1), start);
  }

  private static boolean joins(Layout[] layouts, long[] before, int dim) {
    for (int k = 0; k < layouts.length; k++) {
      if (before[k] != layouts[k].stride(dim) * layouts[k].shape().size(dim)) {
        return false;
      }
    }
    return true;
  }

  /** The number of elements of a row. */
  public long width() {
    return sizes[sizes.length - 1];
  }

  /** The distance from one element of a row to the next in layout {@code k}. */
  public long step(int k) {
    return steps[sizes.length - 1][k];
  }

  /** The number of rows along the dimension before the last. */
  public long rows() {
    return sizes.length == 1 ? 1 : sizes[sizes.length - 2];
  }

  /** The distance from one of these rows to the next in layout {@code k}; 0 if there is one. */
  public long rowStep(int k) {
    return sizes.length == 1 ? 0 : steps[sizes.length - 2][k];
  }

  /** The position of the first row in each layout. */
  public long[] start() {
    return start.clone();
  }

  /** The index of the first row, for {@link #next}. */
  public long[] index() {
    return new long[sizes.length];
  }

  /** Moves {@code index} and {@code at} to the next row; returns false after the last one. */
  public boolean next(long[] index, long[] at) {
    return next(index, at, sizes.length - 2);
  }

  /** As {@link #next(long[], long[])}, to the next row after the {@link #rows} of this one. */
  public boolean nextRows(long[] index, long[] at) {
    return next(index, at, sizes.length - 3);
  }

  private boolean next(long[] index, long[] at, int dim) {
    for (int d = dim; d >= 0; d--) {
      for (int k = 0; k < at.length; k++) {
        at[k] += steps[d][k];
      }
      if (++index[d] < sizes[d]) {
        return true;
      }
      for (int k = 0; k < at.length; k++) {
        at[k] -= steps[d][k] * sizes[d];
      }
      index[d] = 0;
    }
    return false;
  }
}
