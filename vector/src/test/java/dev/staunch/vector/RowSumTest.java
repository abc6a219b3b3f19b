package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sums of rows beside those of the plain set, and beside a loop. */
class RowSumTest {
  private static final RowSum PLAIN = StandardOperations.plainKernels().rowSum();
  private static final RowSum VECTOR = new FloatRowSum(PLAIN);
  private static final double[] STRANGE = {
    Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0, Float.MIN_VALUE, 3e38
  };

  private final Random random = new Random(11);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void rowsOfAnyWidthAndDistanceAreAddedInOrder() {
    for (int round = 0; round < 200; round++) {
      int width = 1 + random.nextInt(70);
      int stride = width + random.nextInt(3);
      int offset = random.nextInt(5);
      long[] picked = random.longs(random.nextInt(9), 0, 20).toArray();
      DenseTensor table = table(offset + 20L * stride);
      double[] start = random.doubles(width).toArray();
      double[] expected = start.clone();
      for (long row : picked) {
        for (int i = 0; i < width; i++) {
          expected[i] += Elements.get(table, offset + row * stride + i);
        }
      }
      assertArrayEquals(expected, added(PLAIN, table, offset, stride, picked, start));
      assertArrayEquals(expected, added(VECTOR, table, offset, stride, picked, start));
    }
  }

  @Test
  void aRowOutsideOfTheTableIsNotRead() {
    DenseTensor table = table(64);
    long[] picked = {0, 2};
    for (RowSum sum : new RowSum[] {PLAIN, VECTOR}) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> sum.add(table.segment(), 0, 32, picked, 2, new double[32]));
    }
  }

  private DenseTensor table(long elements) {
    DenseTensor table = Elements.random(scope, DType.FLOAT32, elements, random);
    for (double strange : STRANGE) {
      Elements.set(table, random.nextInt((int) elements), strange);
    }
    return table;
  }

  private static double[] added(
      RowSum how, DenseTensor table, int offset, int stride, long[] picked, double[] start) {
    double[] sum = start.clone();
    how.add(table.segment(), offset, stride, picked, picked.length, sum);
    return sum;
  }
}
