package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Call;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Closing a context cancels calls that have not finished; given patience, it waits for them (E8).
 */
@Timeout(60)
class ContextCloseTest {
  private final CountDownLatch runs = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicReference<Fault> seen = new AtomicReference<>();

  /** An operation that continues until it is cancelled, and one that counts its calls. */
  private EagerTrial trial(EngineOptions engine) {
    return new EagerTrial(
        engine,
        catalog ->
            catalog
                .one("test::endless(Tensor x) -> Tensor", this::endless)
                .one("test::count(Tensor(a) x) -> Tensor(a)", this::count));
  }

  private Object endless(Call call) {
    runs.countDown();
    Fault stop = null;
    while (stop == null) {
      Thread.onSpinWait();
      stop = call.environment().cancelled();
    }
    seen.set(stop);
    return stop;
  }

  private Object count(Call call) {
    calls.incrementAndGet();
    return call.tensor(0);
  }

  @Test
  void aContextSaysWhatItHoldsAndWhetherItIsClosed() {
    EagerTrial trial = trial(EngineOptions.serial());
    try (trial) {
      assertEquals(2, trial.context.ones(2).numel());
      String open = trial.context.toString();
      assertTrue(open.matches("context .*: 8 bytes"), open);
    }
    String closed = trial.context.toString();
    assertTrue(closed.matches("context .* \\(closed\\): 0 bytes"), closed);
  }

  @Test
  void whatRunsIsStoppedAndWhatHasNotStartedIsGivenUp() throws InterruptedException {
    EagerTrial trial = trial(EngineOptions.threaded(1));
    try (trial) {
      Tensor first = trial.context.apply("test::endless", trial.context.ones(2));
      for (int i = 0; i < 100; i++) {
        trial.context.apply("test::count", first);
      }
      runs.await();
    }
    assertEquals(0, calls.get());
    assertEquals(CancelReason.SHUTDOWN, seen.get().reason());
    assertEquals("the context eager was closed", seen.get().message());
    assertTrue(trial.unread.isEmpty(), "nobody is told of what he asked for himself");
  }

  @Test
  void aReaderThatWaitsIsTold() throws InterruptedException {
    AtomicReference<Throwable> told = new AtomicReference<>();
    EagerTrial trial = trial(EngineOptions.threaded(1));
    Thread reader;
    try (trial) {
      Tensor never = trial.context.apply("test::endless", trial.context.ones(2));
      reader =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  never.floats();
                } catch (StaunchException e) {
                  told.set(e);
                }
              });
      runs.await();
      while (reader.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
    reader.join();
    assertInstanceOf(StaunchException.CancelledException.class, told.get());
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void withPatienceWhatWasCalledIsFinished(EngineOptions engine) {
    try (EagerTrial trial = trial(engine)) {
      Tensor x = trial.context.ones(2);
      for (int i = 0; i < 100; i++) {
        x = trial.context.apply("test::count", x);
      }
      assertTrue(trial.context.close(Duration.ofSeconds(30)));
      assertEquals(100, calls.get());
    }
  }

  @Test
  void whenThePatienceIsOverTheRestIsCancelled() throws InterruptedException {
    try (EagerTrial trial = trial(EngineOptions.threaded(1))) {
      trial.context.apply("test::endless", trial.context.ones(2));
      runs.await();
      trial.context.close(Duration.ofMillis(20));
      assertTrue(trial.context.close(Duration.ofMinutes(1)), "it stops, by now or soon");
      assertEquals(CancelReason.SHUTDOWN, seen.get().reason());
    }
  }

  @Test
  void anOperationThatDoesNotPollIsLeftBehindAndKeepsItsOperands() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    EagerTrial trial =
        new EagerTrial(
            EngineOptions.threaded(1),
            catalog ->
                catalog.one(
                    "test::stuck(Tensor x) -> Tensor",
                    call -> {
                      runs.countDown();
                      return awaited(stuck) ? call.tensor(0) : Fault.value("interrupted");
                    }));
    Tensor x = trial.context.ones(2);
    trial.context.apply("test::stuck", x);
    runs.await();
    assertFalse(trial.context.close(Duration.ofMillis(1)));
    assertTrue(trial.memory.account().bytes() > 0, "M1");
    stuck.countDown();
    while (trial.memory.account().bytes() > 0) {
      Thread.onSpinWait();
    }
    trial.close();
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void faultsThatAroseBeforeAreHandedOverOnce() {
    EagerTrial trial = trial(EngineOptions.serial());
    try (trial) {
      assertNull(trial.context.ones(1).fault());
      trial.invalid();
    }
    trial.context.close();
    assertEquals(1, trial.unread.size(), "F10");
  }
}
