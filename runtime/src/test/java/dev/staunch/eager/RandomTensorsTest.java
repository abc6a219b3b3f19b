package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RandomTensorsTest {
  private final OffHeap memory = OffHeap.withBudget(4 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aSeedRepeatsAllThatFollows() {
    context.manualSeed(11);
    double[] first = context.randn(5).doubles();
    double[] second = context.rand(5).doubles();
    context.manualSeed(11);
    assertArrayEquals(first, context.randn(5).doubles());
    assertArrayEquals(second, context.rand(5).doubles());
    assertFalse(Arrays.equals(first, context.randn(5).doubles()));
  }

  @Test
  void aShorterTensorIsTheFrontOfALongerOne() {
    context.manualSeed(3);
    double[] longer = context.randn(DType.FLOAT64, 7, 11).doubles();
    context.manualSeed(3);
    double[] shorter = context.randn(DType.FLOAT64, 20).doubles();
    assertArrayEquals(Arrays.copyOf(longer, 20), shorter);
  }

  @Test
  void anyNumberOfThreadsDrawsTheSame() {
    context.manualSeed(8);
    double[] serial = context.randn(DType.FLOAT64, 1000).doubles();
    RandomStream stream = new RandomStream(8, 0);
    double[] parallel =
        IntStream.range(0, 100)
            .parallel()
            .boxed()
            .flatMap(part -> {
              double[] ten = new double[10];
              stream.normals(10L * part, ten, 10);
              return Arrays.stream(ten).boxed();
            })
            .mapToDouble(Double::doubleValue)
            .toArray();
    assertArrayEquals(serial, parallel);
  }

  @Test
  void aFailedCallLeavesTheGeneratorAtItsPlace() {
    Tensor zeros = context.zeros(3);
    Generator.State before = context.generator().state();
    StaunchException.ValueException thrown =
        assertThrows(
            StaunchException.ValueException.class, () -> context.zeros(3).normal_(0, -1).floats());
    assertEquals("`std` of normal must not be negative, but it is -1", thrown.getMessage());
    assertEquals("RandomTensorsTest.java", UserLineTest.file(thrown));
    assertThrows(StaunchException.DTypeException.class, () -> context.rand(DType.INT64, 2).longs());
    assertThrows(StaunchException.ValueException.class, () -> context.randint(5, 5, 2).longs());
    assertThrows(StaunchException.OutOfMemoryException.class, () -> context.randn(1 << 22).value());
    Tensor bad = zeros.add(context.zeros(2));
    assertSame(bad.fault(), bad.uniform_(0, 1).fault());
    assertEquals(before, context.generator().state());
    assertArrayEquals(new float[3], zeros.floats());
  }

  @Test
  void fillsWriteTheTensorAndItsViews() {
    Tensor zeros = context.zeros(4, 2);
    Tensor column = zeros.t().get(0);
    assertSame(column, column.uniform_(1, 2));
    assertTrue(zeros.get(Slice.all(), Index.at(0)).ge(1).all().itemBoolean());
    assertTrue(zeros.get(Slice.all(), Index.at(1)).eq(0).all().itemBoolean());
    assertTrue(zeros.bernoulli_(1).eq(1).all().itemBoolean());
    assertTrue(context.zeros(DType.INT32, 50).random_(-2, 3).abs().le(2).all().itemBoolean());
    assertTrue(context.zeros(50).exponential_(2).ge(0).all().itemBoolean());
  }

  @Test
  void aSampleOnItsOwnIsTheFirstOfTwo() {
    double[] powers = {0, 0, 1, 1e-3, 1e-320, Double.MIN_VALUE, 1e300, Double.MAX_VALUE};
    for (int round = 0; round < 40; round++) {
      double[] numbers = new double[3 * 2500];
      int kinds = 3 + round % 6;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = powers[(i * 7 + i / 11) % kinds] * ((1 + i % 5) / 5.0);
      }
      Tensor weights = context.tensor(numbers).view(3, 2500);
      weights = round % 2 == 0 || kinds > 4 ? weights : weights.to(DType.FLOAT32);
      weights = round % 3 == 0 ? weights.t().contiguous().t() : weights;
      context.manualSeed(round);
      long[] one = context.multinomial(weights, 1, false).view(-1).longs();
      context.manualSeed(round);
      long[] two = context.multinomial(weights, 2, false).view(-1).longs();
      assertArrayEquals(new long[] {two[0], two[2], two[4]}, one, "round " + round);
    }
  }

  @Test
  void newTensorsHaveTheShapesAndDTypesAskedFor() {
    assertEquals(DType.INT64, context.randint(0, 9, 2, 2).dtype());
    assertEquals(Shape.of(2, 2), context.randint(0, 9, 2, 2).shape());
    assertArrayEquals(new long[] {0, 1, 2, 3}, context.randperm(4).sort().values().longs());
    assertEquals(DType.FLOAT64, context.randnLike(context.zeros(DType.FLOAT64, 2)).dtype());
    assertEquals(Shape.of(2, 3), context.normal(context.zeros(2, 1), context.ones(3)).shape());
    assertTrue(context.uniform(-2, -1, 9).lt(-1).all().itemBoolean());
    assertArrayEquals(new float[] {0, 1}, context.bernoulli(context.arange(0.0, 2, 1)).floats());
    Tensor weights = context.tensor(new float[] {0, 1, 0});
    assertArrayEquals(new long[] {1, 1}, context.multinomial(weights, 2, true).longs());
    Tensor dropped = context.ones(100).dropout(0.5, true);
    assertTrue(dropped.eq(0).logicalOr(dropped.eq(2)).all().itemBoolean());
  }
}
