package dev.staunch.kernel.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Eigenvalues and eigenvectors fit the matrix and each other, up to rounding. */
class SymmetricEigenTest {
  private static final long SEED = 17;

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "2, 1",
    "3, 1e-300",
    "3, 1e300",
    "10, 1e-160",
    "17, 1",
    "64, 1e200",
    "150, 1e-9"
  })
  void aRandomMatrix(int size, double scale) {
    check(symmetric(size, (i, j) -> scale * random.nextGaussian()), size);
  }

  /** An element of a matrix. */
  private interface Element {
    double at(int i, int j);
  }

  private static double[] symmetric(int size, Element element) {
    double[] matrix = new double[size * size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * size + j] = element.at(i, j);
        matrix[j * size + i] = matrix[i * size + j];
      }
    }
    return matrix;
  }

  @Test
  void zerosAUnitMatrixAndOneOfRankOne() {
    check(new double[25], 5);
    check(Elimination.identity(6), 6);
    double[] values = check(symmetric(7, (i, j) -> 1), 7);
    assertArrayEquals(new double[] {0, 0, 0, 0, 0, 0, 7}, values, 1e-14);
  }

  @Test
  void elementsOfAllMagnitudes() {
    check(symmetric(24, (i, j) -> random.nextGaussian() * Math.pow(10, -(i + j) / 2.0)), 24);
    check(symmetric(24, (i, j) -> random.nextGaussian() * Math.pow(10, (i + j) / 2.0)), 24);
  }

  @Test
  void equalBlocksHaveEqualEigenvalues() {
    double[] values = check(symmetric(6, (i, j) -> i == j + 1 && j % 2 == 0 ? 3 : 0), 6);
    assertArrayEquals(new double[] {-3, -3, -3, 3, 3, 3}, values, 1e-14);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, L", "2, 2, U", "17, 3, L", "17, 3, U", "40, 40, L", "12, 1, U"})
  void aHermitianMatrixOfComplexNumbers(int size, int rank, String triangle) {
    try (OffHeap memory = OffHeap.withBudget(1 << 22);
        Context context = Context.open(memory)) {
      Tensor re = context.tensor(random.doubles(size * rank).toArray()).view(size, rank);
      Tensor im = context.tensor(random.doubles(size * rank).toArray()).view(size, rank);
      Tensor factor = context.apply("complex", re, im);
      Tensor matrix = factor.matmul(adjoint(context, factor));
      Tensor[] parts = context.applyMany("linalg_eigh", 2, matrix, triangle);
      Tensor turned = adjoint(context, parts[1]);
      assertSmall(parts[1].mul(parts[0]).matmul(turned).sub(matrix), 1e-14 * size * size);
      assertSmall(turned.matmul(parts[1]).sub(context.apply("eye", (long) size)), 1e-14 * size);
      Tensor fixed = parts[1].select(0, triangle.equals("L") ? 0 : size - 1);
      assertSmall(context.apply("imag", fixed), 1e-15);
    }
  }

  private static Tensor adjoint(Context context, Tensor matrix) {
    return context.apply("conj_physical", matrix.transpose(0, 1));
  }

  private static void assertSmall(Tensor tensor, double bound) {
    for (double each : tensor.abs().contiguous().doubles()) {
      assertEquals(0, each, bound);
    }
  }

  /** Returns the eigenvalues. */
  private static double[] check(double[] matrix, int size) {
    try (OffHeap memory = OffHeap.withBudget(1 << 22);
        Context context = Context.open(memory)) {
      Tensor given = context.tensor(matrix).view(size, size);
      Tensor[] parts = context.applyMany("linalg_eigh", 2, given, "L");
      double[] values = parts[0].doubles();
      double[] vectors = parts[1].doubles();
      double norm = Arrays.stream(matrix).map(Math::abs).max().orElseThrow();
      double unit = norm == 0 ? 1 : norm;
      double tolerance = 2e-15 * (4 + size);
      for (int k = 0; k < size; k++) {
        assertTrue(k == 0 || values[k - 1] <= values[k], "in ascending order");
        for (int i = 0; i < size; i++) {
          double product = 0;
          double along = 0;
          for (int j = 0; j < size; j++) {
            product += matrix[i * size + j] / unit * vectors[j * size + k];
            along += vectors[j * size + i] * vectors[j * size + k];
          }
          double expected = values[k] / unit * vectors[i * size + k];
          assertEquals(expected, product, tolerance, "row " + i + " of vector " + k);
          assertEquals(i == k ? 1 : 0, along, tolerance, "vectors " + i + " and " + k);
        }
      }
      return values;
    }
  }
}
