package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A few float32 rows times a constant matrix with contiguous columns, such as the weight of a
 * linear layer. The matrix is packed with contiguous rows, because C2 vectorises a loop along a row
 * but not a sum along a column. Sums are formed in the order of {@link FloatProduct}, so the bits
 * are the same.
 *
 * @param packed the matrix, row-major
 * @param columns the number of columns of the matrix
 */
record PackedRows(Request request, DenseTensor packed, long columns)
    implements MatrixProduct.Whole {
  private static final int MOST_ROWS = 4;
  private static final long FEWEST_PRODUCTS = 1 << 12;
  private static final long MOST_DEPTH = 1 << 15;

  /** Packing a larger matrix would take too long, because it does not poll for cancellation. */
  private static final long MOST_ELEMENTS = 1 << 22;

  private static final int WIDTH = ProductOperands.WIDTH;
  private static final int DEPTH = ProductOperands.DEPTH;

  /**
   * Columns packed at once; the elements of a row in them are copied together, so there should be
   * several.
   */
  private static final int LANES = 64;

  /** Rows of the matrix multiplied at once. */
  private static final int UNROLLED = 4;

  /** What a matrix is packed from. */
  private record Format(Layout matrix) {
    /**
     * Written out: the methods that the JVM generates for a record take milliseconds on their first
     * call.
     */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Format format && matrix.equals(format.matrix);
    }

    @Override
    public int hashCode() {
      return matrix.hashCode();
    }
  }

  /** Null if this does not handle the request, or if there is no memory to pack the matrix. */
  static @Nullable MatrixProduct of(Request request) {
    Constant constant = request.constant();
    long products = request.rows() * request.columns() * request.depth();
    Layout b = request.b();
    int rank = b.shape().rank();
    boolean fits =
        constant != null
            && request.dtype() == DType.FLOAT32
            && request.alpha().doubleValue() == 1
            && request.rows() <= MOST_ROWS
            && request.depth() <= MOST_DEPTH
            && products >= FEWEST_PRODUCTS
            && request.columns() * request.depth() <= MOST_ELEMENTS
            && request.c().shape().elements() == request.rows() * request.columns()
            && b.offset() == 0
            && b.stride(rank - 2) == 1
            && b.stride(rank - 1) != 1;
    if (!fits || constant == null) {
      return null;
    }
    DenseTensor packed =
        constant.packed(new Format(b), (tensor, scope) -> pack(MatrixView.of(tensor, b, 0), scope));
    return packed == null ? null : new PackedRows(request, packed, request.columns());
  }

  private static Object pack(MatrixView matrix, ResourceScope scope) {
    Object made =
        DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(matrix.rows(), matrix.columns()));
    if (made instanceof DenseTensor packed) {
      pack(matrix, packed.segment());
    }
    return made;
  }

  private static void pack(MatrixView matrix, MemorySegment into) {
    Operand from = matrix.elements();
    float[][] columns = new float[LANES][matrix.rows()];
    float[] row = new float[LANES];
    for (int j = 0; j < matrix.columns(); j += LANES) {
      int used = Math.min(LANES, matrix.columns() - j);
      for (int lane = 0; lane < used; lane++) {
        from.load(columns[lane], matrix.at(0, j + lane), 1, matrix.rows());
      }
      for (int k = 0; k < matrix.rows(); k++) {
        gather(columns, k, row, used);
        long to = (long) k * matrix.columns() + j;
        MemorySegment.copy(row, 0, into, JAVA_FLOAT, to * Float.BYTES, used);
      }
    }
  }

  private static void gather(float[][] columns, int k, float[] row, int count) {
    for (int lane = 0; lane < count; lane++) {
      row[lane] = columns[lane][k];
    }
  }

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    Layout from = request.addend();
    MatrixView start = from == null || addend == null ? null : MatrixView.of(addend, from, 0);
    MatrixView left = MatrixView.of(a, request.a(), 0);
    MatrixView target = MatrixView.of(c, request.c(), 0);
    int most = (int) Math.min(WIDTH, columns);
    int depth = left.columns();
    float[][] x = new float[left.rows()][(depth + UNROLLED - 1) / UNROLLED * UNROLLED];
    for (int i = 0; i < x.length; i++) {
      left.load(x[i], i, 0, depth);
    }
    float[][] matrix = new float[UNROLLED][most];
    float[][] products = new float[x.length][most];
    float[][] sums = new float[x.length][most];
    for (int j = 0; j < columns; j += WIDTH) {
      int width = (int) Math.min(WIDTH, columns - j);
      for (float[] each : sums) {
        Arrays.fill(each, 0, width, 0);
      }
      for (int first = 0; first < depth; first += DEPTH) {
        Fault stop = context.cancelled();
        if (stop != null) {
          return stop;
        }
        multiply(x, first, depth, j, width, matrix, products);
        for (int i = 0; i < x.length; i++) {
          add(sums[i], products[i], width);
        }
      }
      for (int i = 0; i < x.length; i++) {
        put(start, target, i, j, sums[i], products[i], width);
      }
    }
    return null;
  }

  /** Up to DEPTH products; apart, so that C2 compiles it once and not in each loop around it. */
  private void multiply(
      float[][] x, int first, int depth, int j, int width, float[][] matrix, float[][] products) {
    for (float[] each : products) {
      Arrays.fill(each, 0, width, 0);
    }
    MemorySegment from = packed.segment();
    int end = Math.min(depth, first + DEPTH);
    for (int k = first; k < end; k += UNROLLED) {
      load(from, matrix, k, depth, j, width);
      for (int i = 0; i < x.length; i++) {
        add(products[i], x[i], k, matrix[0], matrix[1], matrix[2], matrix[3], width);
      }
    }
  }

  /** Reads rows of the matrix; rows past the last one are zeros, as is the operand there. */
  private void load(MemorySegment from, float[][] matrix, int k, int depth, int j, int width) {
    for (int r = 0; r < UNROLLED; r++) {
      if (k + r < depth) {
        MemorySegment.copy(
            from, JAVA_FLOAT, ((k + r) * columns + j) * Float.BYTES, matrix[r], 0, width);
      } else {
        Arrays.fill(matrix[r], 0, width, 0);
      }
    }
  }

  private static void add(
      float[] sums, float[] x, int k, float[] b0, float[] b1, float[] b2, float[] b3, int width) {
    float a0 = x[k];
    float a1 = x[k + 1];
    float a2 = x[k + 2];
    float a3 = x[k + 3];
    for (int j = 0; j < width; j++) {
      sums[j] = sums[j] + a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
  }

  private static void add(float[] sums, float[] products, int width) {
    for (int j = 0; j < width; j++) {
      sums[j] += products[j];
    }
  }

  private static void put(
      @Nullable MatrixView start,
      MatrixView target,
      int i,
      int j,
      float[] sums,
      float[] scratch,
      int width) {
    if (start != null) {
      start.load(scratch, i, j, width);
      add(sums, scratch, width);
    }
    target.store(sums, i, j, width);
  }
}
