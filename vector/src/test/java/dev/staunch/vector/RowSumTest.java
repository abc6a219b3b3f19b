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
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares sums of rows with those of the plain kernels, and with a loop. */
class RowSumTest {
  private static final RowSum PLAIN = StandardOperations.plainKernels().rowSum();
  private static final RowSum VECTOR = new FloatRowSum(PLAIN);
  private static final double[] STRANGE = {
    Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0, Float.MIN_VALUE, 3e38
  };

  private static final int ROWS = 20;

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
      RowSum.Table table = table(1 + random.nextInt(70));
      long[] picked = random.longs(random.nextInt(9), 0, ROWS).toArray();
      double[] start = random.doubles(table.columns()).toArray();
      double[] expected = start.clone();
      addPlainly(table, picked, 0, picked.length, expected);
      for (RowSum sum : new RowSum[] {PLAIN, VECTOR}) {
        double[] sums = start.clone();
        sum.add(table, picked, 0, picked.length, sums);
        assertArrayEquals(expected, sums);
      }
    }
  }

  @Test
  void eachBagOfRowsIsRoundedOnce() {
    for (int round = 0; round < 200; round++) {
      RowSum.Table table = table(1 + random.nextInt(70));
      long[] picked = random.longs(random.nextInt(20), 0, ROWS).toArray();
      int[] ends = random.ints(random.nextInt(6), 0, picked.length + 1).sorted().toArray();
      float[] expected = new float[ends.length * table.columns()];
      for (int bag = 0; bag < ends.length; bag++) {
        double[] sum = new double[table.columns()];
        addPlainly(table, picked, bag == 0 ? 0 : ends[bag - 1], ends[bag], sum);
        for (int i = 0; i < sum.length; i++) {
          expected[bag * sum.length + i] = (float) sum[i];
        }
      }
      for (RowSum sum : new RowSum[] {PLAIN, VECTOR}) {
        DenseTensor into = Elements.random(scope, DType.FLOAT32, 3L + expected.length, random);
        sum.addBags(table, picked, ends, ends.length, into.segment(), 3);
        assertArrayEquals(
            expected,
            into.segment()
                .asSlice(3L * Float.BYTES, (long) expected.length * Float.BYTES)
                .toArray(ValueLayout.JAVA_FLOAT));
      }
    }
  }

  @Test
  void aRowOutsideOfTheTableIsNotRead() {
    DenseTensor rows = Elements.random(scope, DType.FLOAT32, 64, random);
    RowSum.Table table = new RowSum.Table(rows.segment(), 0, 32, 32);
    DenseTensor into = Elements.random(scope, DType.FLOAT32, 32, random);
    long[] picked = {0, 2};
    int[] ends = {2};
    for (RowSum sum : new RowSum[] {PLAIN, VECTOR}) {
      assertThrows(
          IndexOutOfBoundsException.class, () -> sum.add(table, picked, 0, 2, new double[32]));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> sum.addBags(table, picked, ends, 1, into.segment(), 0));
    }
  }

  private RowSum.Table table(int columns) {
    int stride = columns + random.nextInt(3);
    int offset = random.nextInt(5);
    int elements = offset + ROWS * stride;
    DenseTensor table = Elements.random(scope, DType.FLOAT32, elements, random);
    for (double strange : STRANGE) {
      Elements.set(table, random.nextInt(elements), strange);
    }
    return new RowSum.Table(table.segment(), offset, stride, columns);
  }

  private static void addPlainly(
      RowSum.Table table, long[] picked, int from, int end, double[] sum) {
    for (int k = from; k < end; k++) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += table.segment().getAtIndex(ValueLayout.JAVA_FLOAT, table.at(picked[k]) + i);
      }
    }
  }
}
