package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that move or count many elements at once, beside the elements one by one. */
class ManyAtOnceTest {
  private static final int COUNT = 3001;

  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final Context context = Context.open(memory);
  private final Random random = new Random(44);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private static double[] doubles(Tensor x) {
    return x.to(DType.FLOAT64).contiguous().view(-1).doubles();
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "UINT8", "INT8", "INT16", "INT32", "INT64"})
  void integersAreCastToWiderNumbers(DType dtype) {
    long[] numbers = LongStream.range(0, COUNT).map(i -> i % 256 - 128).toArray();
    Tensor x = context.tensor(numbers).to(dtype);
    long[] narrow = x.longs();
    for (int i = 0; i < COUNT; i++) {
      long wanted =
          switch (dtype) {
            case BOOL -> numbers[i] == 0 ? 0 : 1;
            case UINT8 -> numbers[i] & 0xff;
            default -> numbers[i];
          };
      assertEquals(wanted, narrow[i]);
    }
    double[] expected = Arrays.stream(narrow).asDoubleStream().toArray();
    for (DType wide : new DType[] {DType.INT16, DType.INT32, DType.FLOAT32, DType.FLOAT64}) {
      assertArrayEquals(expected, doubles(x.to(wide)));
    }
    double[] twice = Arrays.stream(expected).map(it -> it + 0.5).toArray();
    Tensor half = context.tensor(0.5f).expand(COUNT).contiguous();
    assertArrayEquals(twice, doubles(half.add(x)));
  }

  @Test
  void wideIntegersAreRoundedToFloatsOnce() {
    long[] numbers = random.longs(COUNT).toArray();
    numbers[7] = (1L << 54) + (1 << 30) + 1; // a double would round it to a tie
    double[] expected = Arrays.stream(numbers).mapToDouble(it -> (float) it).toArray();
    Tensor x = context.tensor(numbers);
    assertArrayEquals(expected, doubles(x.to(DType.FLOAT32)));
    assertArrayEquals(expected, doubles(context.zeros(COUNT).add(x)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64"})
  void conjugatesHaveTheOtherSign(DType dtype) {
    double[] parts = random.doubles(2 * COUNT, -1, 1).toArray();
    parts[1] = 0;
    parts[2] = Double.NaN;
    parts[5] = Double.NEGATIVE_INFINITY;
    double[] expected = doubles(context.tensor(parts).to(dtype));
    for (int i = 1; i < expected.length; i += 2) {
      expected[i] = -expected[i];
    }
    Tensor pairs = context.tensor(parts).to(dtype).view(COUNT, 2);
    Tensor z = context.apply("aten::view_as_complex", pairs);
    Tensor found = context.apply("aten::conj_physical", z);
    assertArrayEquals(expected, doubles(context.apply("aten::view_as_real", found)));
    Tensor some = context.apply("aten::conj_physical", z.narrow(0, 1, 20).view(4, 5).t());
    double[] turned = doubles(context.apply("aten::view_as_real", some.t()));
    assertArrayEquals(Arrays.copyOfRange(expected, 2, 42), turned);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "INT8", "BFLOAT16"})
  void rowsArePutInOrder(DType dtype) {
    Tensor x = context.tensor(random.doubles(40 * 30).toArray()).to(dtype).view(40, 30);
    long[] index = random.longs(90, -40, 40).toArray(); // names rows several times
    Tensor rows = context.tensor(random.doubles(90 * 30, -9, 9).toArray()).to(dtype).view(90, 30);
    Tensor expected = context.apply("aten::clone", x, None.NONE);
    for (int i = 0; i < index.length; i++) {
      expected.select(0, Math.floorMod(index[i], 40)).copy_(rows.select(0, i));
    }
    List<Object> indices = List.of(context.tensor(index));
    Tensor turned = rows.t().contiguous().t();
    for (Tensor values : new Tensor[] {rows, turned}) {
      Tensor found = context.apply("aten::index_put", x, indices, values, false);
      assertArrayEquals(doubles(expected), doubles(found));
    }
    Tensor columns =
        context.apply(
            "aten::index_put", x.t(), List.of(None.NONE, indices.get(0)), rows.t(), false);
    assertArrayEquals(doubles(expected), doubles(columns.t()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 5000})
  void truthsOfColumnsAreThoseOfTheirElements(int columns) {
    for (int rows : new int[] {0, 1, 3, 20}) {
      boolean[] flags = new boolean[rows * columns];
      double[] any = new double[columns];
      double[] all = new double[columns];
      Arrays.fill(all, 1);
      for (int i = 0; i < flags.length; i++) {
        flags[i] = random.nextInt(i % columns % 2 == 0 ? 10 : 100) < (i % 3 == 0 ? 9 : 1);
        any[i % columns] = flags[i] ? 1 : any[i % columns];
        all[i % columns] = flags[i] ? all[i % columns] : 0;
      }
      double[] numbers =
          IntStream.range(0, flags.length).mapToDouble(i -> flags[i] ? 2 : 0).toArray();
      Tensor x = context.tensor(numbers).view(rows, columns);
      for (DType dtype : new DType[] {DType.BOOL, DType.UINT8, DType.FLOAT32}) {
        Tensor found = context.apply("aten::any.dim", x.to(dtype), 0L, false);
        assertEquals(dtype == DType.UINT8 ? DType.UINT8 : DType.BOOL, found.dtype());
        assertArrayEquals(any, doubles(found));
        assertArrayEquals(all, doubles(context.apply("aten::all.dim", x.to(dtype), 0L, true)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "BFLOAT16"})
  void rowsAreScannedOneByOne(DType dtype) {
    for (int width : new int[] {1, 3, 16, 32, 33, 1_024, 2_500}) {
      int rows = width > 100 ? 3 : 700;
      double[] numbers = random.doubles((long) rows * width, -1, 1).toArray();
      numbers[0] = -0.0;
      Tensor x = context.tensor(numbers).to(dtype).view(rows, width);
      double[] each = doubles(x);
      double[] sums = each.clone();
      double[] products = each.clone();
      for (int i = 0; i < each.length; i++) {
        if (i % width > 0) {
          sums[i] += sums[i - 1];
          products[i] *= products[i - 1];
        }
      }
      for (Tensor source : new Tensor[] {x, x.t().contiguous().t()}) {
        Tensor sum = context.apply("aten::cumsum", source, 1L, None.NONE);
        assertArrayEquals(doubles(context.tensor(sums).to(dtype)), doubles(sum));
        Tensor product = context.apply("aten::cumprod", source, 1L, None.NONE);
        assertArrayEquals(doubles(context.tensor(products).to(dtype)), doubles(product));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "BFLOAT16"})
  void aGreatestElementIsTheFirstOfEqualOnesOrNotANumber(DType dtype) {
    for (int width : new int[] {1, 5, 256, 257, 1_025, 5_000}) {
      int rows = 12;
      double[] numbers = random.ints((long) rows * width, -40, 3).asDoubleStream().toArray();
      Arrays.setAll(numbers, i -> numbers[i] == 0 && i % 2 == 0 ? -0.0 : numbers[i]);
      Arrays.fill(numbers, width, 2 * width, Double.NEGATIVE_INFINITY);
      numbers[2 * width + width * 2 / 3] = Double.NaN;
      Tensor x = context.tensor(numbers).to(dtype).view(rows, width);
      long[] expected = new long[rows];
      for (int i = 0; i < numbers.length; i++) {
        double most = numbers[i / width * width + (int) expected[i / width]];
        expected[i / width] =
            numbers[i] > most || (Double.isNaN(numbers[i]) && !Double.isNaN(most))
                ? i % width
                : expected[i / width];
      }
      Tensor apart = x.view(rows, 1, width).expand(rows, 2, width).contiguous();
      Tensor pairs = context.apply("aten::stack", List.of(x, x), 2L);
      List<Tensor> given =
          List.of(
              x,
              x.t().contiguous().t(),
              context.apply("aten::select.int", apart, 1L, 1L),
              context.apply("aten::select.int", pairs, 2L, 1L));
      for (Tensor each : given) {
        assertArrayEquals(
            expected, context.applyMany("aten::max.dim", 2, each, 1L, false)[1].longs());
        assertArrayEquals(expected, context.apply("aten::argmax", each, 1L, false).longs());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BOOL", "FLOAT32", "INT8", "INT64"})
  void indicesOfElementsOtherThanZeroAreInOrder(DType dtype) {
    for (long[] sizes : new long[][] {{COUNT}, {3, 700}, {700, 1}, {40, 3, 17}, {}}) {
      int count = (int) Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
      double[] numbers =
          random.doubles(count).map(it -> it < 0.9 ? 0 : it < 0.95 ? 1 : -2).toArray();
      Tensor x = context.tensor(numbers).to(dtype).view(sizes);
      long[] expected =
          IntStream.range(0, count)
              .filter(i -> numbers[i] != 0)
              .boxed()
              .flatMapToLong(i -> Arrays.stream(index(sizes, i)))
              .toArray();
      Tensor found = context.apply("aten::nonzero", x);
      assertEquals(sizes.length, found.shape().size(1));
      assertArrayEquals(expected, found.contiguous().view(-1).longs());
    }
  }

  private static long[] index(long[] sizes, int number) {
    long[] index = new long[sizes.length];
    long left = number;
    for (int d = sizes.length - 1; d >= 0; d--) {
      index[d] = left % sizes[d];
      left /= sizes[d];
    }
    return index;
  }

  @Test
  void kroneckerProductsHaveBlocksOfTheSecond() {
    double[] a = random.doubles(6).toArray();
    double[] b = random.doubles(20).toArray();
    double[] expected = new double[120];
    for (int i = 0; i < 120; i++) {
      int row = i / 15;
      int column = i % 15;
      expected[i] = a[row / 4 * 3 + column / 5] * b[row % 4 * 5 + column % 5];
    }
    Tensor x = context.tensor(a).view(2, 3);
    Tensor found = context.apply("aten::kron", x, context.tensor(b).view(4, 5));
    assertArrayEquals(expected, doubles(found));
  }
}
