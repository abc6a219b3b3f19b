package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException.CancelledException;
import dev.staunch.fault.StaunchException.ClosedException;
import dev.staunch.fault.StaunchException.DeadlineException;
import dev.staunch.fault.StaunchException.UnsupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reset works from any state, and its failure is reported to the caller of the reset (D3). */
@Timeout(60)
class ResetTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  @Test
  void aResetClosesWhatWaitsAndGivesTheNewEpochOnly() {
    var numbers = trial.open(new ScriptedSource(trial, 4));
    for (int epoch = 0; epoch < 200; epoch++) {
      try (NumberBatch batch = Trial.good(numbers.next())) {
        assertEquals(epoch, batch.epoch());
        assertEquals(0, batch.number());
      }
      numbers.reset();
    }
    assertEquals(List.of(0L, 1L, 2L, 3L), Trial.rest(numbers));
  }

  @Test
  void aFaultAfterAResetSaysTheBatchOfItsOwnEpoch() {
    var numbers = trial.open(new ScriptedSource(trial, 4).faultAt(2));
    for (int epoch = 0; epoch < 3; epoch++) {
      Trial.good(numbers.next()).close();
      Trial.good(numbers.next()).close();
      Fault fault = Trial.bad(numbers.next());
      assertEquals("batch 2 of numbers", fault.path().getFirst().function());
      numbers.reset();
    }
  }

  @Test
  void whatIsBeingReadIsFinishedAndDropped() throws Exception {
    var begun = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 3);
    source.at(
        1,
        () -> {
          begun.countDown();
          go.await();
          return new Item.Good<>(source.batch(1));
        });
    var numbers = trial.open(source);
    begun.await();
    Thread resetting = Thread.ofVirtual().start(numbers::reset);
    while (numbers.waitingItems() > 0) {
      Thread.onSpinWait();
    }
    go.countDown();
    resetting.join();
    try (NumberBatch batch = Trial.good(numbers.next())) {
      assertEquals(1, batch.epoch());
      assertEquals(0, batch.number());
    }
  }

  @Test
  void aSourceThatCannotGoBackSaysSoAndKeepsSayingIt() {
    var source = new ScriptedSource(trial, 2);
    for (int i = 0; i < 3; i++) {
      source.atReset(() -> Fault.unsupported("a stream cannot go back; open it again"));
    }
    var numbers = trial.open(source);
    assertThrows(UnsupportedException.class, numbers::reset);
    assertEquals("a stream cannot go back; open it again", Trial.bad(numbers.next()).message());
    assertThrows(UnsupportedException.class, numbers::reset);
    assertThrows(UnsupportedException.class, numbers::reset);
    numbers.reset();
    assertEquals(List.of(0L, 1L), Trial.rest(numbers));
  }

  @Test
  void aResetThatTakesTooLongGoesOnAndTheNextReadWaitsForIt() {
    var go = new CountDownLatch(1);
    var source = new ScriptedSource(trial, 2);
    source.atReset(() -> {
      go.await();
      return null;
    });
    var numbers = trial.open(source);
    CancelScope hurried = CancelScope.withDeadline(Duration.ofMillis(20));
    assertThrows(DeadlineException.class, () -> numbers.reset(hurried));
    CancelScope still = CancelScope.withDeadline(Duration.ofMillis(20));
    assertTrue(Trial.bad(numbers.next(still)).message().startsWith("the deadline of 20 ms passed"));
    go.countDown();
    try (NumberBatch batch = Trial.good(numbers.next())) {
      assertEquals(1, batch.epoch());
    }
  }

  @Test
  void aCancelledScopeDoesNotEvenBeginAReset() {
    var numbers = trial.open(new ScriptedSource(trial, 2));
    CancelScope gone = CancelScope.open();
    gone.cancel("enough");
    Trial.good(numbers.next()).close();
    assertThrows(CancelledException.class, () -> numbers.reset(gone));
    assertEquals(List.of(1L), Trial.rest(numbers));
  }

  @Test
  void aResetAfterTheCloseIsRefused() {
    var numbers = trial.open(new ScriptedSource(trial, 2));
    numbers.close();
    assertThrows(ClosedException.class, numbers::reset);
  }

  @Test
  void resetsOfManyThreadsAllEnd() throws Exception {
    var numbers = trial.open(new ScriptedSource(trial, 5));
    var threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.ofVirtual()
              .start(() -> {
                for (int round = 0; round < 50; round++) {
                  numbers.reset();
                }
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L), Trial.rest(numbers));
  }

  /** D6: a source that counts its epochs would leave one out. */
  @Test
  void aResetThatComesWithAnInterruptIsDoneOnce() throws Exception {
    var queue = new BatchQueue<NumberBatch>("numbers", PrefetchOptions.defaults());
    queue.put(new BatchQueue.Entry<>(new Item.End<>(), 0, 0));
    var producer =
        Thread.ofPlatform()
            .start(() -> {
              if (queue.work() == BatchQueue.Work.RESET) {
                queue.resetDone(null);
              }
            });
    awaitState(producer, Thread.State.TIMED_WAITING);
    List<Item<NumberBatch>> left =
        new ArrayList<>() {
          /** Called with the lock of the queue held, which the interrupted producer waits for. */
          @Override
          public boolean add(Item<NumberBatch> item) {
            producer.interrupt();
            awaitState(producer, Thread.State.WAITING);
            return super.add(item);
          }
        };
    long number = queue.askReset(left);
    producer.join();
    assertNull(queue.awaitReset(number, CancelScope.withDeadline(Duration.ZERO)));
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }
}
