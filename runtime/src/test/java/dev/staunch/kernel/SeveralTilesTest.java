package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
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
}
