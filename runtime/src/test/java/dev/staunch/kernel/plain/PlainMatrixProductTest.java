package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.Sample;
import dev.staunch.kernel.loop.FusedMultiplyAdd;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlainMatrixProductTest {
  private static final long SEED = 20250921;
  private static final List<DType> DTYPES =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32);

  private final OffHeap memory = OffHeap.withBudget(256L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  /** A view does not keep its tensor's memory alive. */
  private final List<DenseTensor> kept = new ArrayList<>();

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aProductEqualsTheTripleLoopForAnyShapeAndStrides() {
    for (int round = 0; round < 400; round++) {
      int rows = 1 + random.nextInt(9);
      int depth = 1 + random.nextInt(round % 10 == 0 ? 700 : 40);
      int columns = 1 + random.nextInt(round % 10 == 1 ? 600 : 30);
      check(
          DTYPES.get(round % DTYPES.size()),
          rows,
          depth,
          columns,
          "seed " + SEED + ", round " + round);
    }
  }

  @Test
  void longRowsStayCloseToTheExactProduct() {
    check(DType.FLOAT32, 5, 4096, 20, "seed " + SEED);
    check(DType.FLOAT32, 1, 4096, 20, "seed " + SEED);
  }

  private void check(DType dtype, int rows, int depth, int columns, String label) {
    MatrixView a = matrix(dtype, rows, depth, random.nextInt(4));
    MatrixView b = matrix(dtype, depth, columns, random.nextInt(4));
    MatrixView c = matrix(dtype, rows, columns, 0);
    long alpha = random.nextInt(1, 3);
    double[] expected = naive(a, b, c, (double) alpha);
    assertNull(multiply(a, b, c, alpha), label);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double exact = expected[i * columns + j];
        double found = element(c, i, j);
        assertTrue(Math.abs(exact - found) <= tolerance(dtype, depth, exact), label);
      }
    }
  }

  /** Takes pieces from the last to the first, as other threads might. */
  private static final class Backwards extends KernelBench {
    int pieces;

    Backwards(ResourceScope scope) {
      super(scope);
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, Piece work) {
      Fault fault = null;
      for (long piece = Math.ceilDiv(range, grain) - 1; piece >= 0 && fault == null; piece--) {
        pieces++;
        fault = work.run(piece * grain, Math.min(range, (piece + 1) * grain));
      }
      return fault;
    }
  }

  @Test
  void theOrderInWhichPartsAreTakenChangesNoBit() {
    int[][] shapes = {
      {1, 700, 4200}, {70, 300, 140}, {3, 2000, 600}, {130, 150, 140}, {600, 40, 1}
    };
    for (int[] shape : shapes) {
      MatrixView a = matrix(DType.FLOAT32, shape[0], shape[1], 0);
      MatrixView b = matrix(DType.FLOAT32, shape[1], shape[2], random.nextInt(2));
      MatrixView whole = matrix(DType.FLOAT32, shape[0], shape[2], 0);
      MatrixView parts = matrix(DType.FLOAT32, shape[0], shape[2], 0);
      Backwards context = new Backwards(scope);
      ProductOperands one = new ProductOperands(a, b, null, whole);
      ProductOperands two = new ProductOperands(a, b, null, parts);
      assertNull(PlainMatrixProduct.multiply(context, one, 1L));
      assertEquals(0, context.pieces);
      assertNull(PlainMatrixProduct.multiplyParts(context, two, 1L));
      boolean large = (long) shape[0] * shape[1] * shape[2] > 1 << 21;
      assertEquals(large, context.pieces > 1);
      for (int i = 0; i < shape[0]; i++) {
        for (int j = 0; j < shape[2]; j++) {
          assertEquals(element(whole, i, j), element(parts, i, j), "seed " + SEED);
        }
      }
    }
  }

  /**
   * 128 products before anything is added, one after the other where they are fused, otherwise four
   * at a time, so that parts and panels change no bit.
   */
  @Test
  void everyElementIsSummedInOneOrder() {
    int[][] shapes = {
      {5, 9, 70},
      {7, 128, 33},
      {40, 131, 1030},
      {33, 300, 65},
      {300, 259, 2},
      {260, 7, 5},
      {256, 130, 64},
      {256, 130, 65},
      {1100, 140, 49},
      {900, 300, 225},
      {64, 5, 16}
    };
    for (int[] shape : shapes) {
      boolean few = (long) shape[0] * shape[1] * shape[2] > 1 << 22 && !Sample.whole();
      for (int kind = 0; kind < (few ? 1 : 3); kind++) {
        MatrixView a = matrix(DType.FLOAT32, shape[0], shape[1], kind);
        MatrixView b = matrix(DType.FLOAT32, shape[1], shape[2], (kind + shape[0]) % 2 * 2);
        MatrixView added = matrix(DType.FLOAT32, shape[0], shape[2], (kind + 1) % 4);
        for (MatrixView addend : Arrays.asList(null, added)) {
          inOneOrder(a, b, addend);
        }
      }
    }
  }

  private void inOneOrder(MatrixView a, MatrixView b, @Nullable MatrixView addend) {
    MatrixView c = matrix(DType.FLOAT32, a.rows(), b.columns(), 0);
    assertNull(
        PlainMatrixProduct.multiplyParts(
            new KernelBench(scope), new ProductOperands(a, b, addend, c), 1L));
    float[][] rows = floats(a);
    float[][] terms = floats(b);
    for (int i = 0; i < c.rows(); i++) {
      for (int j = 0; j < c.columns(); j++) {
        float found = (float) element(c, i, j);
        float expected = sum(rows[i], terms, addend, i, j);
        int row = i;
        int column = j;
        assertEquals(
            Float.floatToRawIntBits(expected),
            Float.floatToRawIntBits(found),
            () -> "%s times %s at %d, %d, seed %d".formatted(a, b, row, column, SEED));
      }
    }
  }

  private static float[][] floats(MatrixView matrix) {
    float[][] all = new float[matrix.rows()][matrix.columns()];
    for (int i = 0; i < all.length; i++) {
      for (int j = 0; j < all[i].length; j++) {
        all[i][j] = (float) element(matrix, i, j);
      }
    }
    return all;
  }

  private static float sum(float[] row, float[][] b, @Nullable MatrixView added, int i, int j) {
    float all = 0;
    for (int start = 0; start < row.length; start += 128) {
      float sum = 0;
      for (int k = start; k < Math.min(row.length, start + 128); k += 4) {
        float[] four = new float[4];
        for (int n = 0; n < 4 && k + n < row.length; n++) {
          four[n] = row[k + n] * b[k + n][j];
        }
        sum += four[0] + four[1] + (four[2] + four[3]);
      }
      if (FusedMultiplyAdd.IS_FAST) {
        sum = 0;
        for (int k = start; k < Math.min(row.length, start + 128); k++) {
          sum = Math.fma(row[k], b[k][j], sum);
        }
      }
      all = start > 0 ? all + sum : added == null ? sum : (float) element(added, i, j) + sum;
    }
    return all;
  }

  /**
   * S1: the fast path has the bits of the general one, whatever is added, even the result itself.
   */
  @Test
  void aFewRowsTimesColumnsThatLieTogetherHaveTheSameBits() {
    int[][] shapes = {
      {1, 5, 3}, {1, 16, 8}, {3, 40, 21}, {4, 128, 16}, {1, 700, 37}, {1, 300, 600}
    };
    for (int[] shape : shapes) {
      for (String added : List.of("nothing", "a row", "the result")) {
        sameBits(shape[0], shape[1], shape[2], added);
      }
    }
  }

  private void sameBits(int rows, int depth, int columns, String added) {
    boolean adds = !added.equals("nothing") && (rows == 1 || added.equals("a row"));
    DenseTensor a = tensor((long) rows * depth);
    DenseTensor b = tensor((long) columns * depth);
    DenseTensor row = tensor(columns);
    DenseTensor longWay = tensor((long) rows * columns);
    DenseTensor shortWay = tensor((long) rows * columns);
    if (added.equals("the result")) {
      MemorySegment.copy(row.segment(), 0, shortWay.segment(), 0, (long) columns * Float.BYTES);
    }
    Layout c = Layout.contiguous(Shape.of(rows, columns));
    Layout columnsTogether = new Layout(Shape.of(depth, columns), new long[] {1, depth}, 0);
    Layout repeated = new Layout(c.shape(), new long[] {0, 1}, 0);
    MatrixProduct.Request request =
        new MatrixProduct.Request(
            DType.FLOAT32,
            Layout.contiguous(Shape.of(rows, depth)),
            columnsTogether,
            adds ? repeated : null,
            c,
            1L,
            null);
    assertTrue(SmallProduct.fits(request));
    ProductOperands operands =
        new ProductOperands(
            MatrixView.of(a, request.a(), 0),
            MatrixView.of(b, request.b(), 0),
            adds ? MatrixView.of(row, repeated, 0) : null,
            MatrixView.of(longWay, c, 0));
    KernelBench bench = new KernelBench(scope);
    assertNull(PlainMatrixProduct.multiply(bench, operands, 1L));
    DenseTensor addend = added.equals("the result") ? shortWay : row;
    assertNull(SmallProduct.of(request).run(bench, a, b, adds ? addend : null, shortWay));
    assertEquals(
        -1,
        longWay.segment().mismatch(shortWay.segment()),
        () -> "%d x %d x %d and %s, seed %d".formatted(rows, depth, columns, added, SEED));
  }

  private DenseTensor tensor(long elements) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      Elements.putDouble(made.segment(), DType.FLOAT32, i, random.nextDouble() * 2 - 1);
    }
    return made;
  }

  private @Nullable Fault multiply(MatrixView a, MatrixView b, MatrixView c, long alpha) {
    return PlainMatrixProduct.multiplyParts(
        new KernelBench(scope), new ProductOperands(a, b, c, c), alpha);
  }

  private static double tolerance(DType dtype, int depth, double exact) {
    return switch (dtype) {
      case FLOAT32 -> (1e-5 + 1e-5 * Math.abs(exact)) * Math.max(1, Math.sqrt(depth) / 32);
      case FLOAT64 -> 1e-12 * (double) depth;
      default -> 0;
    };
  }

  /** Kinds: row-major, transposed, with gaps between all elements, expanded along its rows. */
  private MatrixView matrix(DType dtype, int rows, int columns, int kind) {
    int gap = kind == 2 ? 2 + random.nextInt(2) : 1;
    long offset = random.nextInt(3);
    long elements = offset + (long) rows * columns * gap * gap;
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
    kept.add(tensor);
    for (long i = 0; i < elements; i++) {
      double value = dtype.isFloating() ? random.nextDouble() * 2 - 1 : random.nextInt(199) - 99;
      Elements.putDouble(tensor.segment(), dtype, i, value);
    }
    long rowStride = kind == 1 ? 1 : kind == 3 ? 0 : (long) columns * gap * gap;
    long columnStride = kind == 1 ? rows : gap;
    return new MatrixView(Operand.of(tensor), offset, rows, columns, rowStride, columnStride);
  }

  private static double[] naive(MatrixView a, MatrixView b, MatrixView c, double alpha) {
    double[] results = new double[c.rows() * c.columns()];
    for (int i = 0; i < c.rows(); i++) {
      for (int j = 0; j < c.columns(); j++) {
        double sum = 0;
        for (int k = 0; k < a.columns(); k++) {
          sum += element(a, i, k) * element(b, k, j);
        }
        results[i * c.columns() + j] = element(c, i, j) + alpha * sum;
      }
    }
    return results;
  }

  private static double element(MatrixView m, int row, int column) {
    return Elements.asDouble(m.elements().segment(), m.elements().dtype(), m.at(row, column));
  }
}
