package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException.InternalException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A close ends the producer, or leaves a stuck producer behind and reports it (D5). */
@Timeout(60)
class PromptCloseTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  @Test
  void aProducerThatSleepsIsInterruptedAndGone() throws Exception {
    var begun = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 5);
    source.at(
        2,
        () -> {
          begun.countDown();
          Thread.sleep(Long.MAX_VALUE);
          return new Item.End<>();
        });
    var numbers = trial.open(source);
    begun.await();
    numbers.close();
    source.closed.await();
    numbers.thread().join();
    assertEquals(0, trial.memory.account().bytes(), "what waited is closed");
    assertEquals(List.of(), trial.reported(), "the interrupt is no fault");
  }

  @Test
  void aProducerThatWaitsForRoomIsGone() throws Exception {
    var source = new ScriptedSource(trial, 100);
    var numbers = trial.open(source, trial.options.withBatches(2), FaultPolicy.stop());
    while (numbers.waitingItems() < 2) {
      Thread.onSpinWait();
    }
    numbers.close();
    numbers.thread().join();
    source.closed.await();
    assertEquals(0, trial.memory.account().bytes());
  }

  /** Announces its start and ends only when {@code go} opens, whatever interrupts arrive. */
  private static void sulk(CountDownLatch begun, CountDownLatch go) {
    begun.countDown();
    boolean done = false;
    while (!done) {
      try {
        go.await();
        done = true;
      } catch (InterruptedException e) {
        // ignored, so the source is stuck
      }
    }
  }

  @Test
  void aStuckProducerIsADaemonThatIsReportedOnceAndNotWaitedFor() throws Exception {
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 5);
    source.at(
        1,
        () -> {
          sulk(begun, go);
          return new Item.Good<>(source.batch(1));
        });
    var numbers = trial.open(source);
    begun.await();
    numbers.close(); // returns although the source is still blocked
    numbers.close();
    assertTrue(numbers.thread().isDaemon());
    assertEquals(1, trial.reports.size());
    Fault stuck = trial.reports.getFirst();
    assertEquals(
        "the source numbers did not end within 30 ms of a close (at batch 1); its thread"
            + " staunch-prefetch-numbers goes on",
        stuck.message());
    assertTrue(
        List.of(stuck.cause().getStackTrace()).stream()
            .anyMatch(frame -> frame.getMethodName().equals("sulk")));
    assertEquals(0, trial.memory.account().bytes());
    go.countDown();
    source.closed.await();
    numbers.thread().join();
    assertEquals(0, trial.memory.account().bytes(), "what it still made is closed");
  }

  @Test
  void whoeverWaitsIsTold() throws Exception {
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 5);
    source.at(
        0,
        () -> {
          sulk(begun, go);
          return new Item.Good<>(source.batch(0));
        });
    var numbers = trial.open(source);
    begun.await();
    var taken = new AtomicReference<Fault>();
    Thread taker = Thread.ofVirtual().start(() -> taken.set(Trial.bad(numbers.next())));
    while (taker.getState() != Thread.State.WAITING
        && taker.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    numbers.close();
    taker.join();
    assertEquals(FaultType.CLOSED, taken.get().type());
    assertEquals(
        "the prefetcher of numbers was closed before this use",
        Trial.bad(numbers.next()).message());
    go.countDown();
  }

  @Test
  void aCloseOnTheProducersOwnThreadDoesNotWaitForItself() throws Exception {
    var holder = new AtomicReference<Prefetcher<NumberBatch>>();
    var opened = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 2);
    source.at(
        0,
        () -> {
          opened.await();
          holder.get().close();
          return new Item.Good<>(source.batch(0));
        });
    var numbers = trial.open(source);
    holder.set(numbers);
    opened.countDown();
    source.closed.await();
    numbers.thread().join();
    assertEquals(List.of(), trial.reported());
  }

  @Test
  void anInterruptedThreadMayCloseAndStaysInterrupted() {
    var source = new ScriptedSource(trial, 2);
    var numbers = trial.open(source);
    Thread.currentThread().interrupt();
    numbers.close();
    assertTrue(Thread.interrupted());
    Trial.joinOf(numbers.thread());
    assertEquals(0, source.closed.getCount());
  }

  @Test
  void theSourceIsClosedWithoutAnInterruptPending() throws Exception {
    var source = new ScriptedSource(trial, 1);
    source.at(
        0,
        () -> {
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
          return new Item.Good<>(source.batch(0)); // with the interrupt flag still set
        });
    trial.open(source).close();
    source.closed.await();
    assertFalse(source.interruptedAtClose);
  }

  /** Returns a message once, to the code that makes a fault of it, and throws on a second call. */
  private static final class Moody extends RuntimeException {
    private static final long serialVersionUID = 1;
    private boolean told;

    @Override
    public String getMessage() {
      if (told) {
        throw new IllegalStateException("I said it already");
      }
      told = true;
      return "moody";
    }
  }

  @Test
  void aProducerThatFailsByItselfEndsAndLeavesNobodyWaiting() throws Exception {
    var source = new ScriptedSource(trial, 5);
    source.at(
        1,
        () -> {
          throw new Moody();
        });
    var numbers = trial.open(source);
    Trial.good(numbers.next()).close();
    Fault fault = Trial.bad(numbers.next());
    assertEquals(FaultType.INTERNAL, fault.type());
    assertSame(fault, Trial.bad(numbers.next()));
    assertThrows(InternalException.class, numbers::reset);
    source.closed.await();
    numbers.thread().join();
  }

  @Test
  void aSourceThatFailsToCloseIsReported() {
    Source<NumberBatch> source =
        new Source<>() {
          @Override
          public String name() {
            return "sour";
          }

          @Override
          public Item<NumberBatch> next() {
            return new Item.End<>();
          }

          @Override
          public Fault reset() {
            return null;
          }

          @Override
          public void close() {
            throw new IllegalStateException("still in use");
          }
        };
    var sour = trial.open(source);
    sour.close();
    Trial.joinOf(sour.thread());
    assertEquals(
        List.of("the source sour threw IllegalStateException at close: still in use"),
        trial.reported());
  }

  @Test
  void aBatchThatFailsToCloseKeepsNoneOfTheOthersFromIt() {
    var source = new ScriptedSource(trial, 3);
    var numbers = trial.open(source);
    while (numbers.waitingItems() < 4) {
      Thread.onSpinWait();
    }
    numbers.close();
    assertEquals(0, trial.memory.account().bytes());
    Reports reports = new Reports(trial.reports::add);
    reports.discard(new Item.Good<>(new BadlyClosing()));
    assertEquals(1, trial.reported().size());
  }

  private static final class BadlyClosing implements Batch {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {
      throw new IllegalStateException("no");
    }
  }

  @Test
  void aPrefetcherThatIsDroppedEndsItsThread() throws Exception {
    var source = new ScriptedSource(trial, 100);
    Thread thread = Prefetcher.open(source, trial.options).thread();
    while (thread.isAlive()) {
      System.gc();
      thread.join(100);
    }
    assertEquals(0, source.closed.getCount());
    assertFalse(trial.reports.isEmpty());
    assertEquals(
        "the prefetcher of numbers was dropped without a close; close it to free it",
        trial.reports.getLast().message());
  }
}
