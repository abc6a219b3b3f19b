package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Waits end on an interrupt, a deadline or a cancellation; several threads may take batches (E4,
 * C1).
 */
@Timeout(60)
class TakingTest {
  private final Trial trial = new Trial();
  private final CountDownLatch go = new CountDownLatch(1);

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  /** Gives no batch until {@link #go} opens. */
  private Prefetcher<NumberBatch> slow() {
    var source = new ScriptedSource(trial, 2);
    source.at(
        0,
        () -> {
          go.await();
          return new Item.Good<>(source.batch(0));
        });
    return trial.open(source);
  }

  @Test
  void aWaiterThatIsInterruptedTakesNothingAndKeepsItsFlag() throws Exception {
    var numbers = slow();
    var seen = new AtomicReference<Fault>();
    var flag = new AtomicReference<Boolean>();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              seen.set(Trial.bad(numbers.next()));
              flag.set(Thread.currentThread().isInterrupted());
            });
    waiter.interrupt();
    waiter.join();
    assertEquals(FaultType.CANCELLED, seen.get().type());
    assertEquals("the wait for a batch of numbers was interrupted", seen.get().message());
    assertTrue(flag.get());
    go.countDown();
    assertEquals(List.of(0L, 1L), Trial.rest(numbers));
  }

  @Test
  void aDeadlineEndsTheWaitAndTheNextOneGoesOn() {
    var numbers = slow();
    Fault late = Trial.bad(numbers.next(CancelScope.withDeadline(Duration.ofMillis(20))));
    assertEquals(FaultType.DEADLINE_EXCEEDED, late.type());
    assertEquals(CancelReason.DEADLINE, late.reason());
    go.countDown();
    assertEquals(List.of(0L, 1L), Trial.rest(numbers));
  }

  @Test
  void aCancellationEndsTheWaitOfItsScopeOnly() throws Exception {
    var numbers = slow();
    CancelScope scope = CancelScope.open();
    var seen = new AtomicReference<Fault>();
    var other = new AtomicReference<Item<NumberBatch>>();
    Thread cancelled =
        Thread.ofVirtual().start(() -> seen.set(Trial.bad(numbers.next(scope.child()))));
    Thread patient = Thread.ofVirtual().start(() -> other.set(numbers.next()));
    scope.cancel(CancelReason.CLIENT_GONE, "nobody listens");
    cancelled.join();
    assertEquals(CancelReason.CLIENT_GONE, seen.get().reason());
    go.countDown();
    patient.join();
    Trial.good(other.get()).close();
  }

  @Test
  void aScopeThatIsCancelledTakesNothingEvenIfSomethingWaits() {
    var numbers = trial.open(new ScriptedSource(trial, 1));
    while (numbers.waitingItems() == 0) {
      Thread.onSpinWait();
    }
    CancelScope gone = CancelScope.open();
    gone.cancel("enough");
    assertEquals(FaultType.CANCELLED, Trial.bad(numbers.next(gone)).type());
    assertEquals(List.of(0L), Trial.rest(numbers));
  }

  @Test
  void eachBatchGoesToOneOfManyVirtualThreadsAndTheFaultToAll() throws Exception {
    int count = 2_000;
    var numbers = trial.open(new ScriptedSource(trial, count + 1).faultAt(count));
    var taken = new ConcurrentLinkedQueue<Long>();
    var faults = new ConcurrentLinkedQueue<Object>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                List<Object> mine = Trial.rest(numbers);
                faults.add(mine.removeLast());
                mine.forEach(number -> taken.add((Long) number));
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(LongStream.range(0, count).boxed().toList(), taken.stream().sorted().toList());
    assertEquals(16, faults.stream().filter(FaultType.DATA_FORMAT::equals).count());
  }

  @Test
  void oneTakerSeesTheBatchesInTheirOrderWhileOthersTakeToo() throws Exception {
    var numbers = trial.open(new ScriptedSource(trial, 1_000));
    List<List<Object>> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<Object> mine = new ArrayList<>();
      all.add(mine);
      threads.add(Thread.ofPlatform().start(() -> mine.addAll(Trial.rest(numbers))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (List<Object> mine : all) {
      List<Long> order = mine.stream().map(number -> (Long) number).toList();
      assertEquals(order.stream().sorted().toList(), order);
    }
  }
}
