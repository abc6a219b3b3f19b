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
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that read their elements tile by tile, with more elements than one tile holds. */
class SeveralTilesTest {
  private static final int COUNT = 9001;

  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final Context context = Context.open(memory);
  private final Random random = new Random(43);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 300, COUNT, COUNT + 1, 1L << 40, Long.MAX_VALUE})
  void distinctIntegersAreInOrderWhateverTheySpan(long span) {
    long least = span == Long.MAX_VALUE ? Long.MIN_VALUE : -7;
    long[] numbers = new long[COUNT];
    Arrays.setAll(numbers, i -> least + random.nextLong(span));
    numbers[3] = least;
    numbers[5] = span == Long.MAX_VALUE ? span : least + span - 1;
    TreeMap<Long, Long> counts = new TreeMap<>();
    for (long number : numbers) {
      counts.merge(number, 1L, Long::sum);
    }
    long[] values = counts.keySet().stream().mapToLong(it -> it).toArray();
    long[] places = Arrays.stream(numbers).map(it -> Arrays.binarySearch(values, it)).toArray();

    Tensor self = context.tensor(numbers);
    Tensor[] found = context.applyMany("aten::_unique2", 3, self, true, true, true);

    assertArrayEquals(values, found[0].longs());
    assertArrayEquals(places, found[1].longs());
    assertArrayEquals(counts.values().stream().mapToLong(it -> it).toArray(), found[2].longs());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prod", "mean", "amax", "amin"})
  void elementsAreCombinedInOrder(String reduce) {
    float[] self = floats(100);
    float[] source = floats(COUNT);
    long[] index = new long[COUNT];
    Arrays.setAll(index, i -> random.nextInt(90));
    for (boolean includesSelf : new boolean[] {true, false}) {
      float[] expected = self.clone();
      int[] counts = new int[self.length];
      for (int i = 0; i < COUNT; i++) {
        int at = (int) index[i];
        boolean first = counts[at]++ == 0 && !includesSelf;
        expected[at] = first ? source[i] : combined(reduce, expected[at], source[i]);
      }
      for (int i = 0; i < self.length && reduce.equals("mean"); i++) {
        expected[i] /= Math.max(1, counts[i] + (includesSelf ? 1 : 0));
      }
      Tensor found =
          context.apply(
              "aten::scatter_reduce.two",
              context.tensor(self),
              0L,
              context.tensor(index),
              context.tensor(source),
              reduce,
              includesSelf);
      assertArrayEquals(expected, found.floats());
    }
  }

  private static float combined(String reduce, float a, float b) {
    return switch (reduce) {
      case "prod" -> a * b;
      case "mean" -> a + b;
      case "amax" -> Math.max(a, b);
      default -> Math.min(a, b);
    };
  }

  private float[] floats(int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = random.nextFloat(-2, 2);
    }
    return floats;
  }

  @Test
  void eachIntegerIsCounted() {
    long[] numbers = new long[COUNT];
    long[] expected = new long[50];
    for (int i = 0; i < COUNT; i++) {
      numbers[i] = random.nextInt(40);
      expected[(int) numbers[i]]++;
    }
    Tensor self = context.tensor(numbers);
    assertArrayEquals(expected, context.apply("aten::bincount", self, None.NONE, 50L).longs());
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "INT64"})
  void theWeightsOfEachIntegerAreSummed(DType dtype) {
    long[] numbers = new long[COUNT];
    Arrays.setAll(numbers, i -> random.nextInt(40));
    Tensor weights = context.tensor(floats(COUNT)).mul(9).to(dtype);
    double[] added = weights.to(DType.FLOAT64).doubles();
    double[] expected = new double[50];
    for (int i = 0; i < COUNT; i++) {
      double sum = expected[(int) numbers[i]] + added[i];
      expected[(int) numbers[i]] = dtype == DType.FLOAT32 ? (float) sum : sum;
    }
    Tensor found = context.apply("aten::bincount", context.tensor(numbers), weights, 50L);
    assertEquals(dtype == DType.FLOAT32 ? DType.FLOAT32 : DType.FLOAT64, found.dtype());
    assertArrayEquals(expected, found.to(DType.FLOAT64).doubles());
  }

  @Test
  void elementsAreRepeatedManyTimes() {
    double[] self = random.doubles(12).toArray();
    Tensor x = context.tensor(self);
    Tensor matrix = x.view(3, 4);
    for (int count : new int[] {2, 63, 64, 1100}) {
      double[] flat = new double[12 * count];
      Arrays.setAll(flat, i -> self[i / count]);
      assertArrayEquals(flat, repeated(x, count, None.NONE).doubles());
      assertArrayEquals(flat, repeated(matrix, count, 1L).view(-1).doubles());
      double[] rows = new double[12 * count];
      Arrays.setAll(rows, i -> self[i / (4 * count) * 4 + i % 4]);
      assertArrayEquals(rows, repeated(matrix, count, 0L).view(-1).doubles());
      Tensor counts = context.tensor(new long[] {count, 0, 1});
      Tensor some =
          context.apply("aten::repeat_interleave.self_Tensor", matrix, counts, 0L, None.NONE);
      double[] last = Arrays.copyOfRange(some.view(-1).doubles(), count * 4, count * 4 + 4);
      assertArrayEquals(Arrays.copyOfRange(self, 8, 12), last);
    }
  }

  private Tensor repeated(Tensor x, long count, Object dim) {
    return context.apply("aten::repeat_interleave.self_int", x, count, dim, None.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "INT8", "BFLOAT16"})
  void manyColumnsAreFilled(DType dtype) {
    int columns = 40;
    Tensor x = context.tensor(floats(30 * columns * 2)).mul(9).to(dtype).view(30, columns, 2);
    long[] index = random.longs(25, -columns, columns).toArray();
    for (Tensor self : new Tensor[] {x, x.transpose(0, 2), x.select(0, 3).t()}) {
      int dim = (int) Arrays.stream(self.shape().toArray()).takeWhile(it -> it != columns).count();
      Tensor expected = context.apply("aten::clone", self, None.NONE);
      for (long i : index) {
        expected.select(dim, i < 0 ? i + columns : i).fill_(3);
      }
      Tensor found =
          context.apply("aten::index_fill.int_Scalar", self, (long) dim, context.tensor(index), 3L);
      assertArrayEquals(
          expected.contiguous().to(DType.FLOAT64).doubles(),
          found.contiguous().to(DType.FLOAT64).doubles());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "INT16", "COMPLEX64"})
  void anElementIsCopiedToAWholeRow(DType dtype) {
    for (int width : new int[] {2, 63, 64, 3000}) {
      Tensor column = context.tensor(floats(3)).mul(9).to(dtype).view(3, 1);
      double[] found = column.expand(3, width).contiguous().to(DType.FLOAT64).view(-1).doubles();
      double[] each = column.to(DType.FLOAT64).view(-1).doubles();
      double[] expected = new double[3 * width];
      Arrays.setAll(expected, i -> each[i / width]);
      assertArrayEquals(expected, found);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "BFLOAT16"})
  void shortRowsAreReducedOneByOne(DType dtype) {
    for (int width : new int[] {1, 3, 16, 32, 33}) {
      Tensor x = context.tensor(random.doubles(700L * width).toArray()).to(dtype).view(700, width);
      double[] each = x.to(DType.FLOAT64).view(-1).doubles();
      double[] sums = new double[700];
      double[] most = new double[700];
      for (int i = 0; i < each.length; i++) {
        sums[i / width] += each[i];
        most[i / width] = Math.max(most[i / width], each[i]);
      }
      List<Long> dim = List.of(1L);
      Tensor sum = context.apply("aten::sum.dim_IntList", x, dim, false, None.NONE);
      double[] rounded = context.tensor(sums).to(dtype).to(DType.FLOAT64).doubles();
      assertArrayEquals(rounded, sum.to(DType.FLOAT64).doubles());
      Tensor greatest = context.apply("aten::amax", x, dim, false);
      assertArrayEquals(most, greatest.to(DType.FLOAT64).doubles());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT32", "FLOAT64", "INT16"})
  void fewRowsBecomeColumns(DType dtype) {
    for (int rows : new int[] {2, 3, 4, 5}) {
      double[] numbers = random.ints(3000L * rows, -99, 99).asDoubleStream().toArray();
      double[] expected = new double[numbers.length];
      Arrays.setAll(expected, i -> numbers[i % rows * 3000 + i / rows]);
      Tensor x = context.tensor(numbers).to(dtype).view(rows, 3000);
      assertArrayEquals(expected, x.t().contiguous().to(DType.FLOAT64).view(-1).doubles());
    }
  }

  @Test
  void vectorsSideBySideAreMultiplied() {
    double[] a = random.doubles(3000).toArray();
    double[] b = random.doubles(3000).toArray();
    double[] expected = new double[3000];
    for (int i = 0; i < 3000; i++) {
      int first = i - i % 3;
      int one = first + (i + 1) % 3;
      int two = first + (i + 2) % 3;
      expected[i] = a[one] * b[two] - a[two] * b[one];
    }
    Tensor x = context.tensor(a).view(1000, 3);
    Tensor found = context.apply("aten::linalg_cross", x, context.tensor(b).view(1000, 3), 1L);
    assertArrayEquals(expected, found.contiguous().view(-1).doubles());
  }

  @Test
  void thirdPowersAndInversesAreThoseOfAnyPower() {
    Tensor x = context.tensor(floats(500));
    for (Tensor base : new Tensor[] {x, x.to(DType.FLOAT64), x.to(DType.BFLOAT16)}) {
      for (double power : new double[] {3, -1}) {
        double[] found =
            context.apply("aten::pow.Tensor_Scalar", base, power).to(DType.FLOAT64).doubles();
        double[] each = base.to(DType.FLOAT64).doubles();
        Tensor exact = context.tensor(Arrays.stream(each).map(it -> Math.pow(it, power)).toArray());
        assertArrayEquals(exact.to(base.dtype()).to(DType.FLOAT64).doubles(), found, 1e-12);
      }
    }
    Tensor whole = context.tensor(new long[] {-3, 1L << 20, 0});
    assertArrayEquals(
        new long[] {-27, 1L << 60, 0}, context.apply("aten::pow.Tensor_Scalar", whole, 3L).longs());
  }

  @Test
  void theFirstNegativeNumberIsReported() {
    long[] numbers = new long[COUNT];
    numbers[5000] = -3;
    numbers[COUNT - 1] = -4;
    Tensor counts = context.apply("aten::bincount", context.tensor(numbers), None.NONE, 0L);
    assertEquals("bincount takes numbers from 0 on, but there is -3", counts.fault().message());
  }

  @Test
  void everyBinOfAHistogramHasItsElements() {
    float[] floats = floats(COUNT);
    float least = floats[0];
    float most = floats[0];
    for (float number : floats) {
      least = Math.min(least, number);
      most = Math.max(most, number);
    }
    float[] expected = new float[20];
    for (float number : floats) {
      expected[Math.min(19, (int) ((number - least) / (most - least) * 20))]++;
    }
    Tensor self = context.tensor(floats);
    assertArrayEquals(expected, context.apply("aten::histc", self, 20L, 0L, 0L).floats());
  }

  @Test
  void windowsAndRowsMayBeLongerThanATile() {
    float[] floats = floats(COUNT);
    int kernel = 1500;
    float[] expected = new float[COUNT - kernel + 1];
    long[] places = new long[expected.length];
    for (int i = 0; i < expected.length; i++) {
      int place = i;
      for (int at = i; at < i + kernel; at++) {
        place = floats[at] > floats[place] ? at : place;
      }
      expected[i] = floats[place];
      places[i] = place;
    }
    List<Long> one = List.of(1L);
    Tensor[] found =
        context.applyMany(
            "aten::max_pool1d_with_indices",
            2,
            context.tensor(floats).view(1, 1, COUNT),
            List.of((long) kernel),
            one,
            List.of(0L),
            one,
            false);
    assertArrayEquals(expected, found[0].view(-1).floats());
    assertArrayEquals(places, found[1].view(-1).longs());
  }
}
