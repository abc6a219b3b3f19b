package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares reductions of rows with loops. */
class RowReductionTest {
  private static final VectorKernels KERNELS = new VectorKernels(StandardOperations.plainKernels());
  private static final RowReduction SUM = KERNELS.rowReduction(RowReduction.Kind.SUM);
  private static final RowReduction SQUARES = KERNELS.rowReduction(RowReduction.Kind.SQUARES);
  private static final RowReduction PRODUCT = KERNELS.rowReduction(RowReduction.Kind.PRODUCT);
  private static final RowReduction GREATEST = KERNELS.rowReduction(RowReduction.Kind.GREATEST);
  private static final RowReduction LEAST = KERNELS.rowReduction(RowReduction.Kind.LEAST);
  private static final float[] STRANGE = {
    Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -0f, Float.MIN_VALUE, 3e38f
  };

  private final Random random = new Random(12);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 24));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  private MemorySegment row(float... values) {
    DenseTensor made = Elements.random(scope, DType.FLOAT32, values.length + 3L, random);
    MemorySegment.copy(values, 0, made.segment(), ValueLayout.JAVA_FLOAT, 12, values.length);
    return made.segment();
  }

  private float[] values(int count, boolean strange) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          strange && random.nextInt(20) == 0 ? STRANGE[random.nextInt(6)] : random.nextFloat();
    }
    return values;
  }

  private static DoubleStream doubles(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]);
  }

  @Test
  void extremesOfRowsOfAnyLengthAreThoseOfALoop() {
    for (int count = 0; count < 150; count++) {
      float[] values = values(count, count % 3 == 0);
      MemorySegment row = row(values);
      double most = doubles(values).reduce(-7, Math::max);
      double least = doubles(values).reduce(0.5, Math::min);
      assertEquals(most, GREATEST.along(-7, row, 3, count));
      assertEquals(least, LEAST.along(0.5, row, 3, count));
    }
  }

  @Test
  void aSumIsThatOfALoopButForTheLastBitsOfADouble() {
    for (int count = 0; count < 150; count++) {
      float[] values = values(count, false);
      double expected = 5 + doubles(values).sum();
      assertEquals(expected, SUM.along(5, row(values), 3, count), 1e-12);
      double squares = 5 + doubles(values).map(value -> value * value).sum();
      assertEquals(squares, SQUARES.along(5, row(values), 3, count), 1e-12);
    }
    float[] opposite = new float[90];
    opposite[4] = Float.POSITIVE_INFINITY;
    assertEquals(Double.POSITIVE_INFINITY, SUM.along(0, row(opposite), 3, 90));
    opposite[77] = Float.NEGATIVE_INFINITY;
    assertEquals(Double.NaN, SUM.along(0, row(opposite), 3, 90));
  }

  @Test
  void aProductIsThatOfALoopButForTheLastBitsOfADouble() {
    for (int count = 0; count < 150; count++) {
      float[] values = values(count, false);
      double expected = doubles(values).reduce(5, (a, b) -> a * b);
      assertEquals(expected, PRODUCT.along(5, row(values), 3, count), Math.abs(expected) * 1e-13);
    }
    float[] zeros = new float[90];
    Arrays.fill(zeros, -1f);
    zeros[4] = 0;
    assertEquals(-0.0, PRODUCT.along(1, row(zeros), 3, 90), "89 of -1");
    zeros[77] = Float.POSITIVE_INFINITY;
    assertEquals(Double.NaN, PRODUCT.along(1, row(zeros), 3, 90));
    float[] large = new float[90];
    Arrays.fill(large, 1e38f);
    assertEquals(Double.POSITIVE_INFINITY, PRODUCT.along(1, row(large), 3, 90));
  }

  @Test
  void aProductThatOverflowsIsNoNumberOnlyWhereThatOfALoopIsNone() {
    for (int zero : new int[] {0, 1, 5, 40, 89}) {
      float[] large = new float[90];
      Arrays.fill(large, 1e38f);
      large[zero] = 0;
      double expected = doubles(large).reduce(1, (a, b) -> a * b);
      double product = PRODUCT.along(1, row(large), 3, 90);
      assertEquals(zero < 9, expected == 0);
      assertEquals(expected, expected == 0 ? product : expected);
    }
  }

  @Test
  void acrossRowsEachResultMeetsItsElement() {
    for (int count = 0; count < 90; count++) {
      float[] values = values(count, count % 2 == 0);
      MemorySegment row = row(values);
      double[] start = random.doubles(count + 2L).toArray();
      double[] sums = start.clone();
      double[] squares = start.clone();
      double[] products = start.clone();
      double[] most = start.clone();
      double[] least = start.clone();
      for (int i = 0; i < count; i++) {
        sums[i] += values[i];
        squares[i] += (double) values[i] * values[i];
        products[i] *= values[i];
        most[i] = Math.max(most[i], values[i]);
        least[i] = Math.min(least[i], values[i]);
      }
      assertArrayEquals(sums, after(SUM, start, row, count));
      assertArrayEquals(squares, after(SQUARES, start, row, count));
      assertArrayEquals(products, after(PRODUCT, start, row, count));
      assertArrayEquals(most, after(GREATEST, start, row, count));
      assertArrayEquals(least, after(LEAST, start, row, count));
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
    assertThrows(IllegalArgumentException.class, () -> SUM.along(0, heap, 0, 64));
    assertThrows(IllegalArgumentException.class, () -> SUM.across(new double[64], heap, 0, 64));
  }
}
