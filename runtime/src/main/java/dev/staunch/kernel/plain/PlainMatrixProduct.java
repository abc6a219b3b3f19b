package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Products of matrices in plain Java.
 *
 * <p>Works on one panel of b at a time, copied to the heap, since C2 vectorises loops over arrays
 * but not over memory segments. Sums of {@link ProductOperands#DEPTH} products are formed
 * separately and then added to c, which keeps float32 close to the exact result for long rows.
 * Within such a sum, floating products are fused with their additions, one after the other; where
 * the processor cannot do that, four products at a time are added up before they are added to it.
 * So an element's bits depend on its own row and column only, and not on how the product is split
 * into parts.
 */
final class PlainMatrixProduct implements MatrixProduct.Whole {
  /**
   * The number of multiplications that justify a piece of their own: some tenths of a millisecond.
   */
  private static final long PIECE = 1 << 21;

  /** With fewer rows, packing a panel does not pay. */
  private static final int FEWEST_ROWS = 64;

  /** As {@link #FEWEST_ROWS}, if a panel is assembled from an image. */
  private static final int FEWEST_OF_PATCHES = 128;

  /**
   * With fewer rows than {@link #FEWEST_ROWS}, which take little time to pack, a part has at least
   * this many columns.
   */
  private static final int FEWEST_COLUMNS = 256;

  private final Request request;
  private final Shape batch;

  private PlainMatrixProduct(Request request) {
    this.request = request;
    long[] sizes = request.c().shape().toArray();
    this.batch = Shape.of(Arrays.copyOf(sizes, sizes.length - 2));
  }

  static MatrixProduct of(Request request) {
    MatrixProduct packed = PackedRows.of(request);
    if (packed != null) {
      return packed;
    }
    return SmallProduct.fits(request) ? SmallProduct.of(request) : new PlainMatrixProduct(request);
  }

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    if (request.c().shape().elements() == 0) {
      return null;
    }
    if (batch.elements() == 1) {
      return multiplyParts(context, matrices(a, b, addend, c, 0, 0, 0, 0), request.alpha());
    }
    long work = request.rows() * request.columns() * Math.max(1, request.depth());
    long grain = Math.max(1, PIECE / work);
    return context.parallel(
        batch.elements(), grain, (first, end) -> multiply(context, a, b, addend, c, first, end));
  }

  /** Multiplies some matrices of the batch, one after the other. */
  private @Nullable Fault multiply(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c,
      long first,
      long end) {
    Layout from = request.addend();
    Places atA = shifts(request.a());
    Places atB = shifts(request.b());
    Places atC = shifts(request.c());
    Places atAddend = from == null ? atC : shifts(from);
    Fault stop = null;
    for (long i = first; i < end && stop == null; i++) {
      ProductOperands each =
          matrices(a, b, addend, c, atA.at(i), atB.at(i), atAddend.at(i), atC.at(i));
      stop = multiply(context, each, request.alpha());
    }
    return stop;
  }

  private ProductOperands matrices(
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c,
      long shiftA,
      long shiftB,
      long shiftAddend,
      long shiftC) {
    Layout from = request.addend();
    return new ProductOperands(
        MatrixView.of(a, request.a(), shiftA),
        MatrixView.of(b, request.b(), shiftB),
        from == null || addend == null ? null : MatrixView.of(addend, from, shiftAddend),
        MatrixView.of(c, request.c(), shiftC));
  }

  /** The distance, in elements, of each matrix of a batch from the first. */
  private Places shifts(Layout layout) {
    return Places.of(new Layout(batch, Arrays.copyOf(layout.strides(), batch.rank()), 0));
  }

  /** Writes {@code addend + alpha * a * b}, where no addend means zeros; c has column stride 1. */
  static @Nullable Fault multiply(ExecutionContext context, ProductOperands given, Number alpha) {
    ProductOperands operands = given.wide();
    boolean byDots = operands.byDots();
    return multiply(context, byDots ? operands : operands.broad(alpha), byDots, alpha);
  }

  /** As {@link #multiply}, in parts that several threads may process. */
  static @Nullable Fault multiplyParts(
      ExecutionContext context, ProductOperands given, Number alpha) {
    ProductOperands wide = given.wide();
    boolean byDots = wide.byDots();
    ProductOperands operands = byDots ? wide : wide.broad(alpha);
    int rows = operands.c().rows();
    int columns = operands.c().columns();
    long depth = Math.max(1, operands.a().columns());
    if (rows * (columns * depth) <= PIECE) {
      return multiply(context, operands, byDots, alpha);
    }
    int fewest = operands.b() instanceof MatrixView ? FEWEST_ROWS : FEWEST_OF_PATCHES;
    int height = Math.clamp(PIECE / (columns * depth), Math.min(rows, fewest), rows);
    int block = height < FEWEST_ROWS ? FEWEST_COLUMNS : ProductOperands.WIDTH;
    long blocks = Math.max(1, PIECE / (height * depth * block));
    int width = ProductOperands.even(columns, (int) Math.min(columns, blocks * block));
    int across = Math.ceilDiv(columns, width);
    return context.parallel(
        (long) across * Math.ceilDiv(rows, height),
        1,
        (piece, end) -> {
          int row = (int) (piece / across) * height;
          int column = (int) (piece % across) * width;
          ProductOperands part =
              operands.part(
                  row, Math.min(height, rows - row), column, Math.min(width, columns - column));
          return multiply(context, part, byDots, alpha);
        });
  }

  private static @Nullable Fault multiply(
      ExecutionContext context, ProductOperands operands, boolean byDots, Number alpha) {
    MatrixView c = operands.c();
    if (c.rows() == 0 || c.columns() == 0) {
      return null;
    }
    return switch (c.elements().dtype()) {
      case FLOAT32 -> new FloatProduct(context, operands, alpha.floatValue()).run(byDots);
      case FLOAT64 -> new DoubleProduct(context, operands, alpha.doubleValue()).run(byDots);
      case INT64 -> new LongProduct(context, operands, alpha.longValue()).run(byDots);
      case INT32, INT16, INT8, UINT8 -> // the low bits of a sum depend on low bits only
          new IntProduct(context, operands, alpha.intValue()).run(byDots);
      case FLOAT16, BFLOAT16, BOOL, COMPLEX64, COMPLEX128 ->
          throw new IllegalArgumentException("a product of " + c.elements().dtype());
    };
  }
}
