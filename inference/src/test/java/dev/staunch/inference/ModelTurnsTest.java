package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests take turns in a model that changes, and no request waits for itself or forever (E4). */
@Timeout(60)
class ModelTurnsTest {
  private static final String METHODS =
      """
      def count(self: __torch__.M) -> int:
        self.n = torch.add(self.n, 1)
        print("counted")
        return self.n
      def tell(self: __torch__.M) -> int:
        print("before")
        n = (self).count()
        print("after")
        return n
      def same(self: __torch__.M) -> int:
        print("once")
        if torch.gt(self.n, 100):
          n = (self).count()
        else:
          n = self.n
        return n
      def read(self: __torch__.M) -> int:
        print("reads")
        return self.n
      def spin(self: __torch__.M) -> int:
        n = 0
        print("spins")
        for i in range(1000000000):
          n = torch.add(n, i)
        return n
      """;

  private final SmallModel small = SmallModel.of("n : int\n", "self.n = 0\n", METHODS);
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void nothingIsLeft() {
    small.close();
    assertEquals(0, small.memory.account().bytes());
  }

  private Object called(String method, Consumer<String> output) {
    return small.call(method, options -> options.withOutput(output));
  }

  @Test
  void whatARequestPrintsBeforeItWritesIsPrintedOnce() {
    List<String> printed = new ArrayList<>();
    assertEquals(1L, called("tell", printed::add));
    assertEquals(List.of("before", "counted", "after"), printed);
  }

  @Test
  void aMethodThatPrintsAndMightWriteButDoesNotPrintsOnce() {
    List<String> printed = new ArrayList<>();
    assertEquals(0L, called("same", printed::add));
    assertEquals(List.of("once"), printed);
  }

  private static CompletableFuture<Object> elsewhere(Supplier<Object> work) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> result.complete(work.get()));
    return result;
  }

  /** A request that writes and stays in the model until it is {@link #released}. */
  private CompletableFuture<Object> holding(String method) throws InterruptedException {
    CompletableFuture<Object> held = elsewhere(() -> called(method, line -> stay()));
    entered.await();
    return held;
  }

  private void stay() {
    entered.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void e4AWaitForAModelHeedsADeadlineACancellationAndAnInterrupt() throws Exception {
    CompletableFuture<Object> held = holding("count");
    CancelScope soon = CancelScope.withDeadline(Duration.ofMillis(20));
    Object late = small.call("count", options -> options.withCancel(soon));
    assertEquals(FaultType.DEADLINE_EXCEEDED, assertInstanceOf(Fault.class, late).type());
    CancelScope gone = CancelScope.open();
    CompletableFuture<Object> waits =
        elsewhere(() -> small.call("read", options -> options.withCancel(gone)));
    gone.cancel(CancelReason.CLIENT_GONE, "gone");
    assertEquals(CancelReason.CLIENT_GONE, assertInstanceOf(Fault.class, waits.get()).reason());
    Thread.currentThread().interrupt();
    Object interrupted = small.call("count");
    assertTrue(Thread.interrupted());
    assertEquals(FaultType.CANCELLED, assertInstanceOf(Fault.class, interrupted).type());
    assertFalse(held.isDone());
    released.countDown();
    assertEquals(1L, held.get());
    assertEquals(2L, small.call("count"), "who gave up took no turn");
  }

  @Test
  void whoComesFirstIsServedFirst() throws Exception {
    CompletableFuture<Object> held = holding("count");
    List<CompletableFuture<Object>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(queued("count"));
    }
    released.countDown();
    assertEquals(1L, held.get());
    for (int i = 0; i < waiting.size(); i++) {
      assertEquals(2L + i, waiting.get(i).get());
    }
  }

  /** Calls the method on another thread and returns once that thread waits for its turn. */
  private CompletableFuture<Object> queued(String method) throws InterruptedException {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> result.complete(small.call(method)));
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return result;
  }

  @Test
  void aCallbackMayAskTheModelForWhatOnlyReads() {
    List<Object> nested = new ArrayList<>();
    assertEquals(0L, called("read", line -> nested.add(small.call("read"))));
    small.call("count");
    assertEquals(1L, called("read", line -> nested.add(small.call("read"))));
    assertEquals(List.of(0L, 1L), nested);
  }

  @Test
  void aCallbackThatWouldChangeTheModelGetsAFaultAndOthersGoOn() throws Exception {
    List<Object> nested = new ArrayList<>();
    called("read", line -> nested.add(small.call("count")));
    small.call("count");
    called("read", line -> nested.add(small.call("count")));
    for (Object outcome : nested) {
      Fault fault = assertInstanceOf(Fault.class, outcome);
      assertEquals(FaultType.VALUE, fault.type());
      assertTrue(fault.message().contains("change the model's state"), fault::message);
    }
    assertEquals(2, nested.size());
    assertEquals(2L, elsewhere(() -> small.call("count")).get());
  }

  @Test
  void aCallbackOfARequestThatHasChangedTheModelDoesNotSeeItHalfChanged() {
    small.call("count");
    List<Object> nested = new ArrayList<>();
    assertEquals(2L, called("count", line -> nested.add(small.call("read"))));
    Fault fault = assertInstanceOf(Fault.class, nested.getFirst());
    assertTrue(fault.message().contains("is not finished"), fault::message);
  }

  @Test
  void aCallbackThatClosesTheModelWaitsForNothingAndItsRequestEndsWell() throws Exception {
    List<Boolean> ended = new ArrayList<>();
    Object outcome = called("read", line -> ended.add(small.model.close(Duration.ofDays(1))));
    assertEquals(0L, outcome);
    assertEquals(List.of(false), ended);
    assertEquals(0, small.model.bytes());
    Fault later = assertInstanceOf(Fault.class, elsewhere(() -> small.call("read")).get());
    assertEquals(FaultType.CLOSED, later.type());
    assertTrue(small.model.close(Duration.ZERO));
  }

  @Test
  void aCloseLetsNobodyInAndWaitsForThoseInside() throws Exception {
    CompletableFuture<Object> held = holding("count");
    CompletableFuture<Object> queued = queued("count");
    CompletableFuture<Object> closing = elsewhere(() -> small.model.close(Duration.ofDays(1)));
    assertEquals(FaultType.CLOSED, assertInstanceOf(Fault.class, queued.get()).type());
    assertFalse(closing.isDone());
    released.countDown();
    assertEquals(1L, held.get());
    assertEquals(true, closing.get());
  }

  @Test
  void aCloseWhoseTimeIsUpStopsTheRequestsWithReasonShutdown() throws Exception {
    CompletableFuture<Object> spins = elsewhere(() -> called("spin", line -> entered.countDown()));
    entered.await();
    small.model.close(Duration.ofMillis(1));
    assertEquals(CancelReason.SHUTDOWN, assertInstanceOf(Fault.class, spins.get()).reason());
    assertTrue(small.model.close(Duration.ofDays(1)), "it stops, by now or soon");
  }

  @Test
  void aCloseThatWaitsInVainReturnsAndTakesEffectLater() throws Exception {
    CompletableFuture<Object> held = holding("read");
    assertFalse(small.model.close(Duration.ZERO));
    released.countDown();
    held.get();
    assertTrue(small.model.close(Duration.ofDays(1)));
  }
}
