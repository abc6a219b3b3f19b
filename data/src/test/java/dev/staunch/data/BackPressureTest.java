package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The source is asked for a batch only when there is room, by count and by bytes (D5). */
@Timeout(60)
class BackPressureTest {
  private final Trial trial = new Trial();

  /** What was waiting when the source was asked; since then, consumers can only have reduced it. */
  private record Level(int items, long bytes) {}

  private final List<Level> levels = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<Prefetcher<NumberBatch>> opened = new AtomicReference<>();
  private final CountDownLatch ready = new CountDownLatch(1);

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  /** Reads a whole source whose batches have these sizes; returns the numbers of the batches. */
  private List<Object> read(PrefetchOptions options, long... sizes) {
    var source = new ScriptedSource(trial, sizes.length);
    for (int i = 0; i < sizes.length; i++) {
      long size = sizes[i];
      long number = i;
      source.at(
          i,
          () -> {
            ready.await();
            Prefetcher<NumberBatch> numbers = opened.get();
            levels.add(new Level(numbers.waitingItems(), numbers.waitingBytes()));
            return new Item.Good<>(trial.batch(0, number, size));
          });
    }
    opened.set(trial.open(source, options, FaultPolicy.stop()));
    ready.countDown();
    return Trial.rest(opened.get());
  }

  @Test
  void neverMoreBatchesWaitThanAllowed() {
    assertEquals(50, read(trial.options.withBatches(3), new long[50]).size());
    assertTrue(levels.stream().allMatch(level -> level.items() < 3), levels::toString);
  }

  @Test
  void batchesOfOneSizeNeverExceedTheBytesAllowed() {
    long[] sizes = new long[50];
    Arrays.fill(sizes, 100);
    assertEquals(50, read(trial.options.withBytes(350), sizes).size());
    assertTrue(levels.stream().allMatch(level -> level.bytes() + 100 <= 350), levels::toString);
  }

  @Test
  void aBatchLargerThanTheLimitPassesAlone() {
    assertEquals(
        List.of(0L, 1L, 2L, 3L, 4L), read(trial.options.withBytes(350), 100, 1000, 1000, 100, 100));
    assertEquals(new Level(0, 0), levels.get(2), "after a large one, only when nothing waits");
    assertEquals(new Level(0, 0), levels.get(3));
  }

  @Test
  void aLimitOfOneByteStillLetsEverythingPass() {
    assertEquals(20, read(trial.options.withBytes(1), longs(20, 64)).size());
    assertTrue(levels.stream().allMatch(level -> level.items() == 0), levels::toString);
  }

  private static long[] longs(int count, long each) {
    long[] values = new long[count];
    Arrays.fill(values, each);
    return values;
  }

  @Test
  void aWholeEpochIsReadAheadIfItFits() {
    var numbers = trial.open(new ScriptedSource(trial, 7));
    while (numbers.waitingItems() < 8) {
      Thread.onSpinWait();
    }
    assertEquals(7 * 64, numbers.waitingBytes());
    assertEquals(7 * 64, trial.memory.account().bytes());
  }

  @Test
  void theBudgetOfTheMemoryIsAFaultAtItsPlaceAndTheBatchesBeforeArrive() {
    long most = trial.memory.account().budgetBytes();
    var source = new ScriptedSource(trial, 3);
    source.at(
        1,
        () -> {
          var scope = ResourceScope.open(trial.memory, "too much");
          try (scope) {
            return scope.allocate(2 * most) instanceof Fault fault
                ? new Item.Bad<>(fault)
                : new Item.End<>();
          }
        });
    assertEquals(List.of(0L, FaultType.OUT_OF_MEMORY), Trial.rest(trial.open(source)));
  }

  @Test
  void noRoomAtAllIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> trial.options.withBatches(0));
    assertThrows(IllegalArgumentException.class, () -> trial.options.withBytes(0));
  }
}
