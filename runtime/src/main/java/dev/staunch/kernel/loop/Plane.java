package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The planes of a tensor, one after the other, read without copying the tensor. A plane spans the
 * last one or two dimensions; one dimension is a plane of one row. For one thread.
 */
public final class Plane {
  /**
   * Floats that pass through an array at once: a loop over a segment is slow until it is compiled.
   */
  private static final int TILE = 256;

  private final int height;
  private final int width;

  private final MemorySegment segment;
  private final DType dtype;
  private final boolean floats;
  private final long rowStride;
  private final long columnStride;
  private final Places starts;
  private final float[] tile;
  private long start;

  public Plane(DenseTensor tensor, int dims) {
    Layout layout = tensor.layout();
    int lead = layout.shape().rank() - dims;
    this.height = dims == 1 ? 1 : Shape.asInt(layout.shape().size(lead));
    this.width = Shape.asInt(layout.shape().size(lead + dims - 1));
    this.segment = tensor.segment();
    this.dtype = tensor.dtype();
    this.floats = dtype == DType.FLOAT32;
    this.tile = new float[floats ? TILE : 0];
    this.rowStride = dims == 1 ? 0 : layout.stride(lead);
    this.columnStride = layout.stride(lead + dims - 1);
    this.starts = starts(layout, dims);
  }

  /**
   * The start positions of the planes that {@code dims} dimensions span, by row-major number; for
   * one thread.
   */
  public static Places starts(Layout layout, int dims) {
    int lead = layout.shape().rank() - dims;
    Shape planes = Shape.of(Arrays.copyOf(layout.shape().toArray(), lead));
    return Places.of(new Layout(planes, Arrays.copyOf(layout.strides(), lead), layout.offset()));
  }

  /** The number of rows of a plane. */
  public int height() {
    return height;
  }

  /** The number of elements of a row. */
  public int width() {
    return width;
  }

  /** Moves to a plane, given its row-major number; returns this. */
  public Plane of(long number) {
    start = starts.at(number);
    return this;
  }

  /** An element of the plane. */
  public double at(int row, int column) {
    long at = start + row * rowStride + column * columnStride;
    return floats ? segment.getAtIndex(JAVA_FLOAT, at) : Elements.asDouble(segment, dtype, at);
  }

  /** Reads {@code count} elements of a row, rounded once to float32. */
  public void load(int row, int column, int count, float[] into) {
    long at = start + row * rowStride + column * columnStride;
    new Operand(segment, dtype).load(into, at, columnStride, count);
  }

  /** {@code sum} plus {@code count} elements of a row, one after the other. */
  public double sum(int row, int from, int count, double sum) {
    double total = sum;
    for (int i = 0; i < count; i++) {
      total += at(row, from + i);
    }
    return total;
  }

  /**
   * Replaces {@code results} from {@code from} to {@code to} by elements of a row where these are
   * greater. The elements are {@code step} apart, the first at {@code column}.
   */
  public void raise(int row, int column, int step, double[] results, int from, int to) {
    long at = start + row * rowStride + column * columnStride;
    long distance = step * columnStride;
    if (floats && distance > 0 && distance < TILE) {
      int most = (TILE - 1) / (int) distance + 1;
      for (int i = from; i < to; i += most) {
        int count = Math.min(most, to - i);
        long span = (count - 1) * distance + 1;
        MemorySegment.copy(segment, JAVA_FLOAT, at * Float.BYTES, tile, 0, (int) span);
        raise(results, i, i + count, tile, (int) distance);
        at += most * distance;
      }
      return;
    }
    for (int i = from; i < to; i++) {
      results[i] = Math.max(results[i], Elements.asDouble(segment, dtype, at));
      at += distance;
    }
  }

  private static void raise(double[] results, int from, int to, float[] elements, int step) {
    int at = 0;
    for (int i = from; i < to; i++) {
      results[i] = Math.max(results[i], elements[at]);
      at += step;
    }
  }

  /**
   * The greatest of {@code best} and {@code count} elements of a row that are {@code step} apart.
   */
  public double greatest(int row, int from, int step, int count, double best) {
    double most = best;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, at(row, from + i * step));
    }
    return most;
  }
}
