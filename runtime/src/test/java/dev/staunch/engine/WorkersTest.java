package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Submitted work ends in a value or a fault, whatever it throws (C3, E8, F11). */
@Timeout(60)
class WorkersTest {

  @Test
  void whatIsThrownIsAFaultAndTheNextWorkRuns() {
    try (Workers workers = Workers.of(1, "workers-test")) {
      Pending bad =
          workers.submit(() -> {
            throw new StackOverflowError();
          });
      Pending good = workers.submit(() -> Thread.currentThread().isDaemon());
      assertInstanceOf(Fault.class, bad.await(CancelScope.open()), "F11");
      assertEquals(true, good.await(CancelScope.open()), "E8");
    }
  }

  @Test
  void anyNumberMayBeInFlight() {
    int count = 70_000;
    AtomicInteger done = new AtomicInteger();
    CountDownLatch stuck = new CountDownLatch(1);
    try (Workers workers = Workers.of(1, "workers-test")) {
      workers.submit(() -> {
        Trial.await(stuck);
        return done.incrementAndGet();
      });
      for (int i = 1; i < count; i++) {
        workers.submit(done::incrementAndGet);
      }
      stuck.countDown();
      workers.quiesce();
      assertEquals(count, done.get());
    }
  }

  /** C3, E8: nobody waits for ever for work that a close has dropped. */
  @Test
  void whatHasNotBegunWhenTheGraceIsOverIsSettled() {
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    Workers workers = Workers.of(1, "workers-test");
    Pending first =
        workers.submit(() -> {
          runs.countDown();
          Trial.await(stuck);
          return "unreachable, for the close interrupts it";
        });
    Trial.await(runs);
    List<Pending> queued = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      queued.add(workers.submit(() -> "never begun"));
    }
    workers.close(Duration.ZERO);
    queued.add(workers.submit(() -> "too late"));
    for (Pending pending : queued) {
      Fault fault = assertInstanceOf(Fault.class, pending.peek());
      assertEquals(CancelReason.SHUTDOWN, fault.reason(), "C3, E8");
    }
    assertInstanceOf(Fault.class, first.await(CancelScope.open()));
    workers.quiesce();
  }

  /** C3: nobody waits for ever for a value that does not exist. */
  @Test
  void workThatReturnsNothingIsAFault() {
    try (Workers workers = Workers.of(1, "workers-test")) {
      Pending nothing = workers.submit(() -> null);
      Fault fault = assertInstanceOf(Fault.class, nothing.await(CancelScope.open()));
      assertEquals(FaultType.INTERNAL, fault.type());
      assertEquals("the work that ran returned no value", fault.message());
    }
  }

  /** A single thread does its work in the order of submission, without any other thread. */
  @Test
  void withoutThreadsWhoeverWaitsRunsWhatWasSubmitted() {
    try (Workers workers = Workers.ofWaiter()) {
      List<String> ran = new ArrayList<>();
      long here = Thread.currentThread().threadId();
      Pending first = workers.submit(() -> ran.add("first " + Thread.currentThread().threadId()));
      Pending second = workers.submit(() -> ran.add("second " + Thread.currentThread().threadId()));
      workers.submit(() -> ran.add("third"));
      assertEquals(List.of(), ran);
      assertNull(first.peek());
      assertEquals(true, workers.await(second, CancelScope.open()));
      assertEquals(List.of("first " + here, "second " + here), ran);
      workers.quiesce();
      assertEquals(3, ran.size());
    }
  }

  /** The awaited value may come from work that other work submits as it ends. */
  @Test
  void aWaitInsideAContinuationRunsWhatItNeeds() {
    try (Workers workers = Workers.ofWaiter()) {
      CancelScope scope = CancelScope.open();
      Pending outer = new Pending();
      Pending promised = new Pending();
      Pending early = workers.submit(() -> 1);
      early.whenSettled(() -> outer.settle(workers.await(promised, scope)));
      early.whenSettled(
          () -> workers.submit(() -> 2).whenSettled(() -> promised.settle("from the second")));
      assertEquals("from the second", workers.await(outer, scope));
    }
  }

  @Test
  void aCancelledWaitRunsNothingMore() {
    Workers workers = Workers.ofWaiter();
    CancelScope scope = CancelScope.open();
    Pending never =
        workers.submit(() -> {
          throw new AssertionError("ran");
        });
    scope.cancel("enough");
    Fault fault = assertInstanceOf(Fault.class, workers.await(never, scope));
    assertEquals("enough", fault.message());
    workers.close();
    Fault left = assertInstanceOf(Fault.class, never.peek());
    assertEquals(CancelReason.SHUTDOWN, left.reason());
    Fault late = assertInstanceOf(Fault.class, workers.submit(() -> 1).peek());
    assertEquals(CancelReason.SHUTDOWN, late.reason());
  }
}
