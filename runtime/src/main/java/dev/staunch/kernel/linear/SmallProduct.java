package dev.staunch.kernel.linear;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The short way for a float32 linear layer on few rows: every operand without gaps, and no more
 * work than a fraction of a millisecond's. Nothing is packed, so it costs little more than the
 * products; the sums are formed in the order of {@link FloatProduct}, so the bits are the same.
 */
public final class SmallProduct {
  private static final int MOST_ROWS = 4;
  private static final long MOST_PRODUCTS = 1 << 15;

  private SmallProduct() {}

  /** Whether {@link #linear} may be run on the operands. */
  public static boolean fits(DenseTensor input, DenseTensor weight, @Nullable DenseTensor bias) {
    if (!isPlain(input) || !isPlain(weight) || weight.rank() != 2 || input.rank() == 0) {
      return false;
    }
    long columns = weight.shape().size(0);
    long depth = weight.shape().size(1);
    long elements = input.elements();
    return elements > 0
        && input.shape().size(input.rank() - 1) == depth
        && depth <= MatrixProduct.DEPTH
        && elements <= MOST_ROWS * depth
        && elements * columns <= MOST_PRODUCTS
        && (bias == null || (isPlain(bias) && bias.rank() == 1 && bias.shape().size(0) == columns));
  }

  private static boolean isPlain(DenseTensor tensor) {
    return tensor.dtype() == DType.FLOAT32 && tensor.isContiguous();
  }

  /** {@code input * weight^T + bias} as a new tensor; or a fault. */
  static Object linear(
      Call call, DenseTensor input, DenseTensor weight, @Nullable DenseTensor bias) {
    int columns = (int) weight.shape().size(0);
    int depth = (int) weight.shape().size(1);
    Object made =
        input.rank() == 2
            ? call.allocate(DType.FLOAT32, input.shape().size(0), columns)
            : call.allocate(DType.FLOAT32, shape(input, columns));
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
    MemorySegment x = input.segment();
    MemorySegment y = weight.segment();
    MemorySegment out = result.segment();
    MemorySegment shift = bias == null ? out : bias.segment();
    long fromX = input.layout().offset();
    long fromY = weight.layout().offset();
    long fromShift = bias == null ? -1 : bias.layout().offset();
    int rows = (int) (input.elements() / depth);
    for (int row = 0; row < rows; row++) {
      long to = (long) row * columns;
      row(x, fromX + (long) row * depth, y, fromY, out, to, depth, columns);
      if (fromShift >= 0) {
        add(out, to, shift, fromShift, columns);
      }
    }
    return result;
  }

  private static Shape shape(DenseTensor input, int columns) {
    long[] sizes = input.shape().toArray();
    sizes[sizes.length - 1] = columns;
    return Shape.of(sizes);
  }

  private static void row(
      MemorySegment x,
      long fromX,
      MemorySegment y,
      long fromY,
      MemorySegment out,
      long to,
      int depth,
      int columns) {
    int column = 0;
    for (; column + 4 <= columns; column += 4) {
      four(x, fromX, y, fromY + (long) column * depth, out, to + column, depth);
    }
    for (; column < columns; column++) {
      out.setAtIndex(
          JAVA_FLOAT, to + column, dot(x, fromX, y, fromY + (long) column * depth, depth));
    }
  }

  /** Four columns at a time: four sums that do not wait for each other. */
  private static void four(
      MemorySegment x,
      long fromX,
      MemorySegment y,
      long fromY,
      MemorySegment out,
      long to,
      int depth) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    for (int k = 0; k < depth; k++) {
      float v = x.getAtIndex(JAVA_FLOAT, fromX + k);
      s0 += v * y.getAtIndex(JAVA_FLOAT, fromY + k);
      s1 += v * y.getAtIndex(JAVA_FLOAT, fromY + depth + k);
      s2 += v * y.getAtIndex(JAVA_FLOAT, fromY + 2L * depth + k);
      s3 += v * y.getAtIndex(JAVA_FLOAT, fromY + 3L * depth + k);
    }
    out.setAtIndex(JAVA_FLOAT, to, s0);
    out.setAtIndex(JAVA_FLOAT, to + 1, s1);
    out.setAtIndex(JAVA_FLOAT, to + 2, s2);
    out.setAtIndex(JAVA_FLOAT, to + 3, s3);
  }

  private static float dot(MemorySegment x, long fromX, MemorySegment y, long fromY, int depth) {
    float sum = 0;
    for (int k = 0; k < depth; k++) {
      sum += x.getAtIndex(JAVA_FLOAT, fromX + k) * y.getAtIndex(JAVA_FLOAT, fromY + k);
    }
    return sum;
  }

  private static void add(MemorySegment out, long to, MemorySegment shift, long from, int count) {
    for (int i = 0; i < count; i++) {
      float sum = shift.getAtIndex(JAVA_FLOAT, from + i) + out.getAtIndex(JAVA_FLOAT, to + i);
      out.setAtIndex(JAVA_FLOAT, to + i, sum);
    }
  }
}
