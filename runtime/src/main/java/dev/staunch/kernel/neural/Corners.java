package dev.staunch.kernel.neural;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The elements next to some positions in an image or a volume, and their weights: the nearest one,
 * or all 4 or 8 around it. They are the same in each channel, so they are found once. For one
 * thread.
 */
final class Corners {
  private static final int OUTSIDE = -1;

  private final MemorySegment segment;
  private final DType dtype;
  private final int[] sizes;
  private final long[] strides;
  private final boolean nearest;

  /** For each corner, the elements of a channel, counted from its first; or {@link #OUTSIDE}. */
  private final long[][] elements;

  private final double[][] weights;

  /**
   * @param sizes the last dimensions of {@code input}, in reverse order
   * @param most the most positions at once
   */
  Corners(DenseTensor input, int[] sizes, boolean nearest, int most) {
    this.segment = input.segment();
    this.dtype = input.dtype();
    this.sizes = sizes;
    this.strides = new long[sizes.length];
    int last = input.rank() - 1;
    Arrays.setAll(strides, d -> input.layout().stride(last - d));
    this.nearest = nearest;
    int corners = nearest ? 1 : 1 << sizes.length;
    this.elements = new long[corners][most];
    this.weights = new double[corners][most];
  }

  /** Finds the corners of {@code count} positions, whose coordinates are in {@code places}. */
  void find(double[][] places, int count) {
    for (int corner = 0; corner < elements.length; corner++) {
      for (int i = 0; i < count; i++) {
        find(corner, i, places);
      }
    }
  }

  private void find(int corner, int i, double[][] places) {
    long at = 0;
    double weight = 1;
    boolean inside = true;
    for (int d = 0; d < sizes.length; d++) {
      double place = places[d][i];
      double low = nearest ? Math.rint(place) : Math.floor(place);
      boolean high = (corner >> d & 1) != 0;
      if (!nearest) {
        weight *= high ? place - low : 1 - (place - low);
      }
      double element = high ? low + 1 : low;
      inside &= element >= 0 && element < sizes[d];
      at += ((long) element) * strides[d];
    }
    boolean counts = weight != 0 || sizes.length == 2; // as in libtorch, 0 times infinity is NaN
    elements[corner][i] = inside && counts ? at : OUTSIDE;
    weights[corner][i] = weight;
  }

  /** The weighted sums of the corners in the channel whose first element is at {@code start}. */
  void sum(long start, double[] sums, int count) {
    if (dtype == DType.FLOAT32 && elements.length == 4) {
      sumOfFour(start, sums, count);
      return;
    }
    Arrays.fill(sums, 0, count, -0.0);
    for (int corner = 0; corner < elements.length; corner++) {
      add(start, elements[corner], weights[corner], sums, count);
    }
  }

  private void sumOfFour(long start, double[] sums, int count) {
    long[][] at = elements;
    double[][] weight = weights;
    for (int i = 0; i < count; i++) {
      sums[i] =
          weight[0][i] * single(start, at[0][i])
              + weight[1][i] * single(start, at[1][i])
              + weight[2][i] * single(start, at[2][i])
              + weight[3][i] * single(start, at[3][i]);
    }
  }

  private double single(long start, long at) {
    return at < 0 ? 0 : segment.getAtIndex(JAVA_FLOAT, start + at);
  }

  private void add(long start, long[] at, double[] weight, double[] sums, int count) {
    for (int i = 0; i < count; i++) {
      double element = at[i] < 0 ? 0 : Elements.asDouble(segment, dtype, start + at[i]);
      sums[i] += weight[i] * element;
    }
  }
}
