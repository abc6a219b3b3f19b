package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * E4, E5: a large operation whose value the caller waits for runs on a worker, and ends with the
 * wait.
 */
@Timeout(60)
class LargeValueTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CompletableFuture<FaultlessEnd> ended = new CompletableFuture<>();
  private final EagerTrial trial =
      new EagerTrial(
          EngineOptions.threaded(1),
          catalog ->
              catalog
                  .one("test::thread(Tensor x) -> str", call -> Thread.currentThread().getName())
                  .one("test::endless(Tensor x) -> Tensor[]", this::untilCancelled));

  /** Shows that the kernel has seen its cancellation. */
  private record FaultlessEnd(FaultType seen) {}

  private Object untilCancelled(Call call) {
    begun.countDown();
    while (call.environment().cancelled() == null) {
      Thread.onSpinWait();
    }
    ended.complete(new FaultlessEnd(call.environment().cancelled().type()));
    return call.environment().cancelled();
  }

  @AfterEach
  void nothingIsLeft() {
    trial.close();
    assertEquals(List.of(), List.copyOf(trial.unread));
  }

  @Test
  void aLargeOneRunsOnAWorker() {
    Tensor there = trial.context.ones(2, 2);
    assertEquals(4, there.sum().item());
    Object thread = trial.context.applyValue("test::thread", there);
    assertNotEquals(Thread.currentThread().getName(), thread);
  }

  @Test
  void anInterruptEndsTheWaitAndTheOperation() throws Exception {
    Tensor x = trial.context.ones(2, 2);
    Thread caller = Thread.currentThread();
    Thread interrupter =
        Thread.ofPlatform()
            .start(() -> {
              await(begun);
              caller.interrupt();
            });
    StaunchException thrown =
        assertThrows(
            StaunchException.CancelledException.class,
            () -> trial.context.applyList("test::endless", x));
    assertTrue(Thread.interrupted());
    interrupter.join();
    assertTrue(thrown.getMessage().contains("interrupted"), thrown.getMessage());
    assertEquals(new FaultlessEnd(FaultType.CANCELLED), ended.get());
  }

  @Test
  void whoCancelsFromOutsideCancelsBoth() throws Exception {
    Tensor x = trial.context.ones(2, 2);
    CancelScope scope = CancelScope.open();
    Thread canceller =
        Thread.ofPlatform()
            .start(() -> {
              await(begun);
              scope.cancel(CancelReason.CLIENT_GONE, "the client went away");
            });
    StaunchException thrown =
        assertThrows(
            StaunchException.CancelledException.class,
            () -> trial.context.within(scope, () -> trial.context.applyList("test::endless", x)));
    canceller.join();
    assertTrue(thrown.getMessage().contains("the client went away"), thrown.getMessage());
    assertInstanceOf(FaultlessEnd.class, ended.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
