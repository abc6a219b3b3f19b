package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.fault.StaunchException.DataFormatException;
import dev.staunch.fault.StaunchException.InternalException;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The requirements of dmlc-core's unittest_threaditer and unittest_threaditer_exc_handling for
 * ThreadedIter, test by test, and those of MXNet's PrefetchIter. "Better" marks tests that require
 * more here than there.
 */
@Timeout(60)
class ThreadedIterSpecTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  @Test
  void basicsCapacityOneTenItemsInOrderThenTheEndAgainAndAgain() {
    var numbers =
        trial.open(new ScriptedSource(trial, 10), trial.options.withBatches(1), FaultPolicy.stop());
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), Trial.rest(numbers));
    assertEquals(new Item.End<>(), numbers.next());
    assertEquals(new Item.End<>(), numbers.next());
  }

  @Test
  void basicsRepeatedResetAlsoMidWayStartsAtTheFirstItem() {
    var numbers =
        trial.open(new ScriptedSource(trial, 10), trial.options.withBatches(1), FaultPolicy.stop());
    for (int taken = 0; taken <= 10; taken++) {
      for (int i = 0; i < taken; i++) {
        try (NumberBatch batch = Trial.good(numbers.next())) {
          assertEquals(i, batch.number());
        }
      }
      numbers.reset();
    }
    numbers.reset();
    assertEquals(10, Trial.rest(numbers).size());
  }

  /**
   * MXNet's {@code IOSuite}, "test PrefetchIter". Batches have no names here, so no names are
   * mapped. The part of the original after the reset compares a batch with itself.
   */
  @Test
  void prefetchIterSixHundredBatchesAndAfterAResetTheSameSixHundred() {
    var numbers = trial.open(new ScriptedSource(trial, 600));
    List<Long> expected = LongStream.range(0, 600).boxed().toList();
    assertEquals(expected, Trial.rest(numbers));
    assertEquals(new Item.End<>(), numbers.next());
    numbers.reset();
    assertEquals(expected, Trial.rest(numbers));
    assertEquals(new Item.End<>(), numbers.next());
    assertEquals(0, trial.memory.account().bytes());
  }

  /**
   * Better: nothing is handed back; the blocks of a closed batch return to the pool on their own.
   */
  @Test
  void basicsRecycleIsTheCloseOfTheBatchWhichIsIdempotent() {
    var numbers = trial.open(new ScriptedSource(trial, 1));
    NumberBatch batch = Trial.good(numbers.next());
    assertEquals(64, trial.memory.account().bytes());
    batch.close();
    batch.close();
    assertEquals(0, trial.memory.account().bytes());
  }

  /**
   * Better: in dmlc-core, with five good items before the fault, the reader got only 0 to 4 of them
   * in all but eight of 2,000 runs.
   */
  @Test
  void dmlcExceptionAllGoodItemsBeforeTheFifthArriveThenTheFault() {
    var source = new ScriptedSource(trial, 10).at(5, ThreadedIterSpecTest::failure);
    var numbers = trial.open(source, trial.options.withBatches(7), FaultPolicy.stop());
    for (int run = 0; run < 2_000; run++) {
      assertEquals(List.of(0L, 1L, 2L, 3L, 4L, FaultType.INTERNAL), Trial.rest(numbers));
      numbers.reset();
    }
  }

  private static Item<NumberBatch> failure() {
    throw new IllegalStateException("Test Throw exception");
  }

  /** Better: a batch in hand can be given back, whatever happened to its successors. */
  @Test
  void dmlcExceptionRecycleAfterTheFaultDoesNotThrow() {
    var source = new ScriptedSource(trial, 10).at(1, ThreadedIterSpecTest::failure);
    var numbers = trial.open(source);
    NumberBatch first = Trial.good(numbers.next());
    assertThrows(InternalException.class, () -> numbers.next().orThrow());
    first.close();
    assertEquals(0, trial.memory.account().bytes());
  }

  /**
   * Better: no new Init is needed, and the fault is the same object however often it is read (F3).
   */
  @Test
  void dmlcExceptionAReadLoopThrowsAndThrowsAgain() {
    var numbers = trial.open(new ScriptedSource(trial, 10).at(0, ThreadedIterSpecTest::failure));
    InternalException first = assertThrows(InternalException.class, () -> numbers.next().orThrow());
    InternalException second =
        assertThrows(InternalException.class, () -> numbers.next().orThrow());
    assertNotSame(first, second);
    assertSame(first.fault(), second.fault());
  }

  /** Better: the type is kept, and the message has only one header and names the batch. */
  @Test
  void stdExceptionKeepsItsTypeAndSaysWhere() {
    var source =
        new ScriptedSource(trial, 10)
            .at(
                4,
                () -> {
                  throw new IndexOutOfBoundsException("Test Throw exception");
                });
    var numbers = trial.open(source);
    for (int i = 0; i < 4; i++) {
      Trial.good(numbers.next()).close();
    }
    Fault fault = Trial.bad(numbers.next());
    assertTrue(fault.cause() instanceof IndexOutOfBoundsException);
    assertEquals(
        "the source numbers threw IndexOutOfBoundsException at batch 4: Test Throw exception",
        fault.message());
    assertEquals("batch 4 of numbers", fault.path().getFirst().function());
  }

  /**
   * Throws twice in a row, as in dmlc-core. Better: a read in between also gives the fault, and the
   * next successful reset is enough, without a new Init.
   */
  @Test
  void dmlcExceptionAThrowingResetThrowsTwiceInARowAndBetterThanSpecThenWorks() {
    ScriptedSource.Reset failing =
        () -> {
          throw new IOException("the disk is gone");
        };
    var numbers = openWithFailingResets(failing);
    StaunchException first = assertThrows(DataFormatException.class, numbers::reset);
    assertEquals(
        "the source numbers threw IOException at reset: the disk is gone", first.getMessage());
    assertThrows(DataFormatException.class, numbers::reset);
    assertEquals(FaultType.DATA_FORMAT, Trial.bad(numbers.next()).type());
    numbers.reset();
    assertEquals(List.of(0L, 1L, 2L), Trial.rest(numbers));
  }

  /** The same with an unchecked exception. Better: its type is kept. */
  @Test
  void stdExceptionAThrowingResetThrowsTwiceInARowAndBetterThanSpecThenWorks() {
    ScriptedSource.Reset failing =
        () -> {
          throw new IllegalStateException("Test Throw exception");
        };
    var numbers = openWithFailingResets(failing);
    for (int i = 0; i < 2; i++) {
      StaunchException thrown = assertThrows(InternalException.class, numbers::reset);
      assertEquals(
          "the source numbers threw IllegalStateException at reset: Test Throw exception",
          thrown.getMessage());
      assertTrue(thrown.fault().cause() instanceof IllegalStateException);
    }
    assertEquals(FaultType.INTERNAL, Trial.bad(numbers.next()).type());
    numbers.reset();
    assertEquals(List.of(0L, 1L, 2L), Trial.rest(numbers));
  }

  /** A prefetcher whose first batch was taken and whose next two resets run {@code failing}. */
  private Prefetcher<NumberBatch> openWithFailingResets(ScriptedSource.Reset failing) {
    var numbers = trial.open(new ScriptedSource(trial, 3).atReset(failing).atReset(failing));
    Trial.good(numbers.next()).close();
    return numbers;
  }

  /**
   * Better: in dmlc-core, a producer that threw stays dead until a new Init; here a reset is
   * enough.
   */
  @Test
  void stdExceptionAResetAfterAFaultWorks() {
    var calls = new int[1];
    var source = new ScriptedSource(trial, 3);
    source.at(
        1,
        () -> {
          if (calls[0]++ == 0) {
            throw new IllegalArgumentException("only once");
          }
          return new Item.Good<>(source.batch(1));
        });
    var numbers = trial.open(source);
    assertEquals(List.of(0L, FaultType.INTERNAL), Trial.rest(numbers));
    numbers.reset();
    assertEquals(List.of(0L, 1L, 2L), Trial.rest(numbers));
  }
}
