package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for a few float32 rows times a matrix with contiguous columns, such as the weight
 * of a linear layer, for work of at most a fraction of a millisecond. Nothing is packed or copied,
 * so it costs little more than the products. Sums are formed in the order of {@link FloatProduct},
 * so the bits are the same.
 */
record SmallProduct(int rows, int columns, int depth) implements MatrixProduct.Whole {
  private static final int MOST_ROWS = 4;
  private static final int EIGHT = 8;
  private static final long MOST_PRODUCTS = 1 << 15;

  /** A single row reads the matrix once in any case, so copying it does not pay. */
  private static final long MOST_OF_ROW = 1 << 21;

  /** Up to this depth, all sums of a column are complete before anything is added to them. */
  private static final int MOST_DEPTH = 1 << 15;

  /** Products between two polls for cancellation. */
  private static final long STRIDE = 1 << 18;

  static boolean fits(Request request) {
    Layout c = request.c();
    Layout addend = request.addend();
    long rows = request.rows();
    long columns = request.columns();
    long depth = request.depth();
    return request.dtype() == DType.FLOAT32
        && request.alpha().doubleValue() == 1
        && c.shape().elements() == rows * columns
        && rows > 0
        && rows <= MOST_ROWS
        && depth > 0
        && depth <= MOST_DEPTH
        && rows * depth * columns <= (rows == 1 ? MOST_OF_ROW : MOST_PRODUCTS)
        && lies(request.a(), rows, depth, depth, 1)
        && lies(request.b(), depth, columns, 1, depth)
        && lies(c, rows, columns, columns, 1)
        && (addend == null || lies(addend, rows, columns, 0, 1));
  }

  /**
   * Whether the last two dimensions have these strides, ignoring the stride of a dimension of size
   * 1, and begin where the tensor does.
   */
  private static boolean lies(
      Layout layout, long rows, long columns, long rowStride, long columnStride) {
    int rank = layout.shape().rank();
    return layout.offset() == 0
        && (rows == 1 || layout.stride(rank - 2) == rowStride)
        && (columns == 1 || layout.stride(rank - 1) == columnStride);
  }

  static SmallProduct of(Request request) {
    return new SmallProduct((int) request.rows(), (int) request.columns(), (int) request.depth());
  }

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    MemorySegment x = a.segment();
    MemorySegment y = b.segment();
    MemorySegment out = c.segment();
    MemorySegment shift = addend == null ? null : addend.segment();
    long fromY = b.layout().offset();
    long fromShift = addend == null ? 0 : addend.layout().offset();
    float[] sums = new float[EIGHT];
    long since = STRIDE;
    for (int i = 0; i < rows; i++) {
      long fromX = a.layout().offset() + (long) i * depth;
      long to = c.layout().offset() + (long) i * columns;
      for (int j = 0; j < columns; j += EIGHT) {
        Fault stop = since < STRIDE ? null : context.cancelled();
        if (stop != null) {
          return stop;
        }
        since = (since < STRIDE ? since : 0) + (long) EIGHT * depth;
        int width = Math.min(EIGHT, columns - j);
        sum(x, fromX, y, fromY + (long) j * depth, width, sums);
        for (int n = 0; n < width; n++) { // the addend may be the result
          float start = shift == null ? 0 : shift.getAtIndex(JAVA_FLOAT, fromShift + j + n);
          out.setAtIndex(JAVA_FLOAT, to + j + n, shift == null ? sums[n] : start + sums[n]);
        }
      }
    }
    return null;
  }

  /**
   * The products of a row with {@code width} columns, at most eight, that begin at {@code fromY}.
   */
  private void sum(
      MemorySegment x, long fromX, MemorySegment y, long fromY, int width, float[] sums) {
    Arrays.fill(sums, 0);
    for (int k = 0; k < depth; k += ProductOperands.DEPTH) {
      int count = Math.min(depth - k, ProductOperands.DEPTH);
      if (width == EIGHT) {
        eight(x, fromX + k, y, fromY + k, depth, count, sums);
      } else {
        for (int n = 0; n < width; n++) {
          sums[n] += dot(x, fromX + k, y, fromY + (long) n * depth + k, count);
        }
      }
    }
  }

  /** Sums eight columns at a time, so that the sums are independent of each other. */
  private static void eight(
      MemorySegment x,
      long fromX,
      MemorySegment y,
      long fromY,
      int depth,
      int count,
      float[] sums) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    float s4 = 0;
    float s5 = 0;
    float s6 = 0;
    float s7 = 0;
    for (int k = 0; k < count; k++) {
      float v = x.getAtIndex(JAVA_FLOAT, fromX + k);
      s0 += v * y.getAtIndex(JAVA_FLOAT, fromY + k);
      s1 += v * y.getAtIndex(JAVA_FLOAT, fromY + depth + k);
      s2 += v * y.getAtIndex(JAVA_FLOAT, fromY + 2L * depth + k);
      s3 += v * y.getAtIndex(JAVA_FLOAT, fromY + 3L * depth + k);
      s4 += v * y.getAtIndex(JAVA_FLOAT, fromY + 4L * depth + k);
      s5 += v * y.getAtIndex(JAVA_FLOAT, fromY + 5L * depth + k);
      s6 += v * y.getAtIndex(JAVA_FLOAT, fromY + 6L * depth + k);
      s7 += v * y.getAtIndex(JAVA_FLOAT, fromY + 7L * depth + k);
    }
    sums[0] += s0;
    sums[1] += s1;
    sums[2] += s2;
    sums[3] += s3;
    sums[4] += s4;
    sums[5] += s5;
    sums[6] += s6;
    sums[7] += s7;
  }

  private static float dot(MemorySegment x, long fromX, MemorySegment y, long fromY, int count) {
    float sum = 0;
    for (int k = 0; k < count; k++) {
      sum += x.getAtIndex(JAVA_FLOAT, fromX + k) * y.getAtIndex(JAVA_FLOAT, fromY + k);
    }
    return sum;
  }
}
