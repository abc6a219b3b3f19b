package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.array.TensorExamples;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.text.LibSvm;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** D5: however large batches are, only as many are made as the limit in bytes allows. */
@Timeout(60)
class LargeBatchesTest {
  private static final long MIB = 1 << 20;
  private static final int EXAMPLES = 40;

  private final OffHeap memory = OffHeap.withBudget(256 * MIB);
  @TempDir private Path folder;

  /** Reads all batches of two examples of 1 MiB each; returns the most bytes held at any time. */
  private long mostHeld(OffHeap memory, long bytes, long waited) {
    AtomicLong most = new AtomicLong();
    AtomicReference<Thread> producer = new AtomicReference<>(Thread.currentThread());
    Examples large =
        Examples.of(
            "large",
            List.of(Field.of("data", DType.UINT8, MIB), Field.of("number", DType.INT64)),
            () -> {
              int[] next = {0};
              return row -> {
                producer.set(Thread.currentThread());
                most.accumulateAndGet(memory.account().bytes(), Math::max);
                for (int i = 0; i < MIB; i++) {
                  row.put(0, 1L);
                }
                row.put(1, (long) next[0]);
                return next[0]++ < EXAMPLES;
              };
            });
    PrefetchOptions options = PrefetchOptions.defaults().withBatches(100).withBytes(bytes);
    Dataset dataset = Dataset.of(large).withBatch(2).withPrefetch(options);
    try (DataIterator iterator = dataset.open(memory)) {
      while (iterator.waitingBytes() < waited || isBusy(producer.get())) {
        Thread.onSpinWait(); // wait until all batches that may be made ahead are there
      }
      assertEquals(EXAMPLES, read(iterator));
    }
    assertEquals(0, memory.account().bytes());
    return most.get();
  }

  private static boolean isBusy(Thread producer) {
    return switch (producer.getState()) {
      case NEW, RUNNABLE, BLOCKED -> true;
      case WAITING, TIMED_WAITING, TERMINATED -> false;
    };
  }

  @Test
  void noMoreThanTheBoundAndOneBatchIsEverHeld() {
    long held = mostHeld(memory, 7 * MIB, 6 * MIB);
    assertTrue(held <= 7 * MIB + 3 * MIB, "held " + held);
  }

  @Test
  void aBatchLargerThanTheBoundPasses() {
    long held = mostHeld(memory, 1, 2 * MIB);
    assertTrue(held <= 3 * MIB + 3 * MIB, "one waits, one is with its taker: " + held);
  }

  @Test
  void whatWaitsLeavesHalfOfTheBudgetToTheTaker() {
    long held = mostHeld(OffHeap.withBudget(9 * MIB), 256 * MIB, 4 * MIB);
    assertTrue(held <= 8 * MIB, "held " + held);
  }

  /** A hundred mebibytes pass through, but only three batches of 16 KiB exist at a time. */
  @Test
  void theBlocksOfBatchesThatWereClosedAreThoseOfTheNext() {
    TensorExamples numbers =
        TensorExamples.named("n").with("data", new float[1 << 18], 1 << 10, 1 << 8);
    PrefetchOptions one = PrefetchOptions.defaults().withBatches(1);
    Dataset dataset = Dataset.of(numbers).withBatch(16).withPrefetch(one);
    try (DataIterator iterator = dataset.open(memory)) {
      for (int epoch = 0; epoch < 100; epoch++) {
        assertEquals(1 << 10, read(iterator));
        iterator.reset();
      }
    }
    assertTrue(memory.reservedBytes() <= 4 * MIB, "reserved " + memory.reservedBytes());
  }

  @Test
  void aBatchForWhichThereIsNoMemoryIsPassedOverWhole() {
    TensorExamples numbers = TensorExamples.named("n").with("data", new float[10], 10);
    List<Fault> told = Collections.synchronizedList(new ArrayList<>());
    Dataset dataset =
        Dataset.of(numbers)
            .withBatch(4)
            .withPolicy(FaultPolicy.skip(Long.MAX_VALUE))
            .withPrefetch(PrefetchOptions.defaults().withReports(told::add));
    try (DataIterator iterator = dataset.open(OffHeap.withBudget(15))) {
      assertEquals(0, read(iterator));
      assertEquals(3, iterator.skippedFaults());
    }
    assertEquals(
        Set.of(FaultType.OUT_OF_MEMORY),
        told.stream().map(Fault::type).collect(Collectors.toSet()));
  }

  private static long read(DataIterator iterator) {
    long read = 0;
    for (TensorBatch batch : iterator) {
      try (batch) {
        read += batch.examples();
      }
    }
    return read;
  }

  /**
   * Two bytes of text give a row of 4 MiB; the rows of a whole part of such text would take 2.4
   * GiB.
   */
  @Test
  void rowsThatAreMuchLargerThanTheirTextAreMadeAFewAtATime() throws IOException {
    Path file = Session.bytes(folder, "wide.t", "1\n".repeat(600));
    PrefetchOptions options = PrefetchOptions.defaults().withBytes(32 * MIB);
    Dataset dataset = Dataset.of(LibSvm.of(MIB, file).dense()).withPrefetch(options);
    try (DataIterator iterator = dataset.withDecoders(2).open(memory)) {
      assertEquals(600, read(iterator));
    }
  }
}
