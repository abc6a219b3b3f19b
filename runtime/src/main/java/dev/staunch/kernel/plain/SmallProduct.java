package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The short way for a few float32 rows times a matrix whose columns lie together, as a linear
 * layer's weight does, and no more work than a fraction of a millisecond's. Nothing is packed, so
 * it costs little more than the products; the sums are formed in the order of {@link FloatProduct},
 * so the bits are the same.
 */
record SmallProduct(int rows, int columns, int depth) implements MatrixProduct {
  private static final int MOST_ROWS = 4;
  private static final long MOST_PRODUCTS = 1 << 15;

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
        && depth <= PlainMatrixProduct.DEPTH
        && rows * depth * columns <= MOST_PRODUCTS
        && lies(request.a(), rows, depth, depth, 1)
        && lies(request.b(), depth, columns, 1, depth)
        && lies(c, rows, columns, columns, 1)
        && (addend == null || lies(addend, rows, columns, 0, 1));
  }

  /**
   * Whether the last two dimensions have these strides, of which one of a single step is none, and
   * begin where the tensor does.
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
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    Fault stop = context.cancelled();
    if (stop != null) {
      return stop;
    }
    MemorySegment x = a.segment();
    MemorySegment y = b.segment();
    MemorySegment out = c.segment();
    MemorySegment shift = addend == null ? out : addend.segment();
    long fromX = a.layout().offset();
    long fromY = b.layout().offset();
    long fromShift = addend == null ? -1 : addend.layout().offset();
    long start = c.layout().offset();
    for (int row = 0; row < rows; row++) {
      long to = start + (long) row * columns;
      row(x, fromX + (long) row * depth, y, fromY, out, to);
      if (fromShift >= 0) {
        add(out, to, shift, fromShift);
      }
    }
    return null;
  }

  private void row(
      MemorySegment x, long fromX, MemorySegment y, long fromY, MemorySegment out, long to) {
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

  private void add(MemorySegment out, long to, MemorySegment shift, long from) {
    for (int i = 0; i < columns; i++) {
      float sum = shift.getAtIndex(JAVA_FLOAT, from + i) + out.getAtIndex(JAVA_FLOAT, to + i);
      out.setAtIndex(JAVA_FLOAT, to + i, sum);
    }
  }
}
