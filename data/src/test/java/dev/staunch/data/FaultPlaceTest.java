package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException.DataFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fault keeps its place among the batches and names it, whatever caused the fault (D1). */
@Timeout(60)
class FaultPlaceTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  /** The fault of a source that runs {@code step} in place of its third batch. */
  private Fault faultOf(ScriptedSource.Step step) {
    var numbers = trial.open(new ScriptedSource(trial, 5).at(2, step));
    Trial.good(numbers.next()).close();
    Trial.good(numbers.next()).close();
    Fault fault = Trial.bad(numbers.next());
    assertEquals("batch 2 of numbers", fault.path().getFirst().function());
    assertSame(fault, Trial.bad(numbers.next()), "F3");
    return fault;
  }

  @Test
  void aFaultOfTheDataKeepsItsWordsAndTypeAndGainsTheBatch() {
    Fault made = Fault.data("x.csv", "\"5x\" is not a number").withExpected("a number", "5x");
    Fault fault = faultOf(() -> new Item.Bad<>(made));
    assertTrue(fault.isSameAs(made));
    assertEquals("\"5x\" is not a number", fault.message());
    assertEquals("x.csv", fault.input());
    assertEquals(FaultType.DATA_FORMAT, fault.type());
  }

  @Test
  void aFileThatCannotBeReadIsBadData() {
    Fault fault =
        faultOf(() -> {
          throw new IOException("stale handle");
        });
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertEquals("the source numbers threw IOException at batch 2: stale handle", fault.message());
    Fault unchecked =
        faultOf(() -> {
          throw new UncheckedIOException(new IOException());
        });
    assertEquals(FaultType.DATA_FORMAT, unchecked.type());
  }

  @Test
  void aTypedExceptionOfTheRuntimeStaysItself() {
    Fault fault =
        faultOf(() -> {
          throw Fault.shape("4 columns, not 40").toException();
        });
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals("4 columns, not 40", fault.message());
  }

  @Test
  void errorsOfTheMachineAreFaultsToo() {
    Fault memory =
        faultOf(() -> {
          throw new OutOfMemoryError("heap");
        });
    assertEquals(FaultType.OUT_OF_MEMORY, memory.type());
    Fault deep = faultOf(FaultPlaceTest::deeper);
    assertTrue(deep.cause() instanceof StackOverflowError);
    assertEquals("the source numbers threw StackOverflowError at batch 2", deep.message());
  }

  @SuppressWarnings("InfiniteRecursion") // this is the point
  private static Item<NumberBatch> deeper() {
    return deeper();
  }

  @Test
  void nothingInThePlaceOfAnItemIsAFault() {
    Fault fault = faultOf(() -> null);
    assertEquals(
        "the source numbers threw NullPointerException at batch 2: it returned null",
        fault.message());
  }

  @Test
  void anInterruptThatTheSourceGivesItselfIsAFaultAndHarmsNobody() {
    Fault fault =
        faultOf(() -> {
          Thread.currentThread().interrupt();
          throw new InterruptedException("of my own");
        });
    assertTrue(fault.cause() instanceof InterruptedException);
  }

  @Test
  void aSourceThatAsksItsOwnPrefetcherIsToldSo() {
    var holder = new AtomicReference<Prefetcher<NumberBatch>>();
    var opened = new CountDownLatch(1);
    var source =
        new ScriptedSource(trial, 1)
            .at(
                0,
                () -> {
                  opened.await();
                  return holder.get().next();
                });
    holder.set(trial.open(source));
    opened.countDown();
    assertEquals(
        "the source numbers waits for its own prefetcher",
        Trial.bad(holder.get().next()).message());
  }

  /** A batch whose size is computed by {@code size}, which may throw or return a wrong size. */
  private static Item<Batch> sized(ScriptedSource source, LongSupplier size) {
    NumberBatch inner = source.batch(0);
    return new Item.Good<>(
        new Batch() {
          @Override
          public long bytes() {
            return size.getAsLong();
          }

          @Override
          public void close() {
            inner.close();
          }
        });
  }

  private Fault faultOfSize(LongSupplier size) {
    var inner = new ScriptedSource(trial, 1);
    Source<Batch> source =
        new Source<>() {
          @Override
          public String name() {
            return "sized";
          }

          @Override
          public Item<Batch> next() {
            return sized(inner, size);
          }

          @Override
          public Fault reset() {
            return Fault.unsupported("a stream cannot go back");
          }

          @Override
          public void close() {
            inner.close();
          }
        };
    try (var prefetcher = Prefetcher.open(source, trial.options)) {
      return switch (prefetcher.next()) {
        case Item.Bad<Batch>(Fault fault) -> fault;
        case Item<Batch> other -> throw new AssertionError(other);
      };
    }
  }

  @Test
  void aBatchThatDoesNotKnowItsSizeIsClosedAndIsAFault() {
    Fault thrown =
        faultOfSize(() -> {
          throw new IllegalStateException("no size");
        });
    assertEquals(
        "the source sized threw IllegalStateException at batch 0: no size", thrown.message());
    assertEquals("batch 0 of sized says that it holds -1 bytes", faultOfSize(() -> -1).message());
    assertEquals(2, trial.made.get());
  }

  @Test
  void aFaultIsThrownAtTheEdgeWithItsType() {
    var numbers = trial.open(new ScriptedSource(trial, 5).faultAt(1));
    numbers.next().orThrow().close();
    assertThrows(DataFormatException.class, () -> numbers.next().orThrow());
    assertEquals(List.of(), trial.reported(), "somebody has read it");
  }

  @Test
  void theEndIsNoBatchAndNoFault() {
    var numbers = trial.open(new ScriptedSource(trial, 0));
    assertEquals(null, numbers.next().orThrow());
  }

  @Test
  void aFaultThatNobodyTookIsReported() {
    var source = new ScriptedSource(trial, 3).faultAt(1);
    var numbers = trial.open(source);
    Trial.good(numbers.next()).close();
    while (numbers.waitingItems() == 0) {
      Thread.onSpinWait();
    }
    numbers.close();
    assertEquals(List.of("no number at 1"), trial.reported());
  }
}
