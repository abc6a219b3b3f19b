package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
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
