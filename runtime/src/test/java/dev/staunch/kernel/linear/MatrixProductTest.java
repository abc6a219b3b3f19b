package dev.staunch.kernel.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.KernelBench;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MatrixProductTest {
  private static final long SEED = 20250921;
  private static final List<DType> DTYPES =
      List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.INT32);

  private final OffHeap memory = OffHeap.withBudget(256L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

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
    assertNull(MatrixProduct.add(new KernelBench(scope), a, b, c, alpha), label);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double exact = expected[i * columns + j];
        double found = Elements.asDouble(c.segment(), dtype, c.at(i, j));
        assertTrue(Math.abs(exact - found) <= tolerance(dtype, depth, exact), label);
      }
    }
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
    for (long i = 0; i < elements; i++) {
      double value = dtype.isFloating() ? random.nextDouble() * 2 - 1 : random.nextInt(199) - 99;
      Elements.putDouble(tensor.segment(), dtype, i, value);
    }
    long rowStride = kind == 1 ? 1 : kind == 3 ? 0 : (long) columns * gap * gap;
    long columnStride = kind == 1 ? rows : gap;
    return new MatrixView(tensor.segment(), dtype, offset, rows, columns, rowStride, columnStride);
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
    return Elements.asDouble(m.segment(), m.dtype(), m.at(row, column));
  }
}
