package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.Item;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.RowReader;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * M1, D1: if the memory is closed while a batch is filled, there is a fault in its place, and then
 * the end.
 */
@Timeout(60)
class MemoryClosedTest {
  private static final int EXAMPLES = 10_000;

  private final OffHeap memory = OffHeap.withBudget(16 << 20);

  /** Numbers; reading number {@code last} closes the memory. */
  private Examples numbers(int last) {
    return Examples.of(
        "numbers",
        List.of(Field.of("data", DType.FLOAT32, 16)),
        () -> {
          int[] next = {0};
          return (RowReader)
              row -> {
                int i = next[0]++;
                if (i == last) {
                  memory.close();
                }
                row.put(0, new double[16]);
                return i < EXAMPLES;
              };
        });
  }

  /** The faults up to the end, which has to arrive. */
  private List<FaultType> faults(Dataset dataset) {
    List<FaultType> faults = Collections.synchronizedList(new ArrayList<>());
    PrefetchOptions told =
        PrefetchOptions.defaults().withReports(fault -> faults.add(fault.type()));
    try (DataIterator iterator =
        dataset.withPolicy(FaultPolicy.skip(9)).withPrefetch(told).open(memory)) {
      assertInstanceOf(Item.End.class, iterator.next());
    }
    return List.copyOf(faults);
  }

  @ParameterizedTest
  @EnumSource(LastBatch.class)
  void aBatchThatIsBeingFilledIsAFault(LastBatch last) {
    Dataset dataset = Dataset.of(numbers(EXAMPLES / 2)).withBatch(2 * EXAMPLES).withLast(last);
    assertEquals(List.of(FaultType.CLOSED), faults(dataset));
    assertEquals(0, memory.account().bytes());
  }

  @ParameterizedTest
  @EnumSource(names = {"PAD_REPEAT", "PAD_ZERO"})
  void soIsOneThatIsToBePadded(LastBatch last) {
    Dataset dataset = Dataset.of(numbers(EXAMPLES)).withBatch(2 * EXAMPLES).withLast(last);
    assertEquals(List.of(FaultType.CLOSED), faults(dataset));
    assertEquals(0, memory.account().bytes());
  }
}
