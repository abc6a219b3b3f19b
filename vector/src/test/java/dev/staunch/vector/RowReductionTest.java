package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.primitive.RowReduction.Kind;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares reductions of rows with loops. */
@ParameterizedClass
@EnumSource(names = {"FLOAT32", "FLOAT64"})
class RowReductionTest {
  private static final VectorKernels KERNELS = new VectorKernels(StandardOperations.plainKernels());
  private static final double[] STRANGE = {
    Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0, Float.MIN_VALUE, 3e38f
  };

  @Parameter private DType dtype = DType.FLOAT32;

  private final Random random = new Random(12);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 24));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  private RowReduction kernel(Kind kind) {
    return Objects.requireNonNull(KERNELS.rowReduction(dtype, kind));
  }

  private MemorySegment row(double... values) {
    DenseTensor made = Elements.random(scope, dtype, values.length + 3L, random);
    for (int i = 0; i < values.length; i++) {
      Elements.set(made, i + 3L, values[i]);
    }
    return made.segment();
  }

  /** Numbers of the dtype. */
  private double[] values(int count, boolean strange) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      double value =
          strange && random.nextInt(20) == 0 ? STRANGE[random.nextInt(6)] : random.nextDouble();
      values[i] = dtype == DType.FLOAT32 ? (float) value : value;
    }
    return values;
  }

  @Test
  void extremesOfRowsOfAnyLengthAreThoseOfALoop() {
    for (int count = 0; count < 150; count++) {
      double[] values = values(count, count % 3 == 0);
      MemorySegment row = row(values);
      double most = DoubleStream.of(values).reduce(-7, Math::max);
      double least = DoubleStream.of(values).reduce(0.5, Math::min);
      assertEquals(most, kernel(Kind.GREATEST).along(-7, row, 3, count));
      assertEquals(least, kernel(Kind.LEAST).along(0.5, row, 3, count));
    }
  }

  @Test
  void aSumIsThatOfALoopButForTheLastBitsOfADouble() {
    for (int count = 0; count < 150; count++) {
      double[] values = values(count, false);
      double expected = 5 + DoubleStream.of(values).sum();
      assertEquals(expected, kernel(Kind.SUM).along(5, row(values), 3, count), 1e-12);
      double squares = 5 + DoubleStream.of(values).map(value -> value * value).sum();
      assertEquals(squares, kernel(Kind.SQUARES).along(5, row(values), 3, count), 1e-12);
    }
    double[] opposite = new double[90];
    opposite[4] = Double.POSITIVE_INFINITY;
    assertEquals(Double.POSITIVE_INFINITY, kernel(Kind.SUM).along(0, row(opposite), 3, 90));
    opposite[77] = Double.NEGATIVE_INFINITY;
    assertEquals(Double.NaN, kernel(Kind.SUM).along(0, row(opposite), 3, 90));
  }

  @Test
  void aProductIsThatOfALoopButForTheLastBitsOfADouble() {
    RowReduction product = KERNELS.rowReduction(dtype, Kind.PRODUCT);
    assertEquals(dtype == DType.FLOAT32, product != null); // doubles overflow in another order
    if (product == null) {
      return;
    }
    for (int count = 0; count < 150; count++) {
      double[] values = values(count, false);
      double expected = DoubleStream.of(values).reduce(5, (a, b) -> a * b);
      assertEquals(expected, product.along(5, row(values), 3, count), Math.abs(expected) * 1e-13);
    }
    double[] zeros = new double[90];
    Arrays.fill(zeros, -1);
    zeros[4] = 0;
    assertEquals(-0.0, product.along(1, row(zeros), 3, 90), "89 of -1");
    zeros[77] = Double.POSITIVE_INFINITY;
    assertEquals(Double.NaN, product.along(1, row(zeros), 3, 90));
    double[] large = new double[90];
    Arrays.fill(large, 1e38);
    assertEquals(Double.POSITIVE_INFINITY, product.along(1, row(large), 3, 90));
  }

  @Test
  void aProductThatOverflowsIsNoNumberOnlyWhereThatOfALoopIsNone() {
    RowReduction product = KERNELS.rowReduction(dtype, Kind.PRODUCT);
    assertEquals(dtype == DType.FLOAT32, product != null); // doubles overflow in another order
    if (product == null) {
      return;
    }
    for (int zero : new int[] {0, 1, 5, 40, 89}) {
      double[] large = new double[90];
      Arrays.fill(large, 1e38);
      large[zero] = 0;
      double expected = DoubleStream.of(large).reduce(1, (a, b) -> a * b);
      double found = product.along(1, row(large), 3, 90);
      assertEquals(zero < 9, expected == 0);
      assertEquals(expected, expected == 0 ? found : expected);
    }
  }

  @Test
  void acrossRowsEachResultMeetsItsElement() {
    for (int count = 0; count < 90; count++) {
      double[] values = values(count, count % 2 == 0);
      MemorySegment row = row(values);
      double[] start = random.doubles(count + 2L).toArray();
      double[] sums = start.clone();
      double[] squares = start.clone();
      double[] products = start.clone();
      double[] most = start.clone();
      double[] least = start.clone();
      for (int i = 0; i < count; i++) {
        sums[i] += values[i];
        squares[i] += values[i] * values[i];
        products[i] *= values[i];
        most[i] = Math.max(most[i], values[i]);
        least[i] = Math.min(least[i], values[i]);
      }
      assertArrayEquals(sums, after(kernel(Kind.SUM), start, row, count));
      assertArrayEquals(squares, after(kernel(Kind.SQUARES), start, row, count));
      if (dtype == DType.FLOAT32) {
        assertArrayEquals(products, after(kernel(Kind.PRODUCT), start, row, count));
      }
      assertArrayEquals(most, after(kernel(Kind.GREATEST), start, row, count));
      assertArrayEquals(least, after(kernel(Kind.LEAST), start, row, count));
    }
  }

  private static double[] after(RowReduction kernel, double[] start, MemorySegment row, int count) {
    double[] results = start.clone();
    kernel.across(results, row, 3, count);
    return results;
  }

  @Test
  void aRowOnTheHeapIsRefused() {
    MemorySegment heap = MemorySegment.ofArray(new float[64]);
    assertThrows(IllegalArgumentException.class, () -> kernel(Kind.SUM).along(0, heap, 0, 64));
    assertThrows(
        IllegalArgumentException.class, () -> kernel(Kind.SUM).across(new double[64], heap, 0, 64));
  }
}
