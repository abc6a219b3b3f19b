package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.SmallStack;
import dev.staunch.kernel.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller that exhausts its stack, at any point, leaves the engine as it was (F11). */
@Timeout(60)
class DeepStackTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final int ROUNDS = Sample.whole() ? 20 : 5;

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatWasPushedIsSettledAndItsVariablesServeOthers(EngineOptions options)
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Trial trial = new Trial(options)) {
        Variable variable = new Variable("x");
        Variable other = new Variable("y");
        AtomicInteger ran = new AtomicInteger();
        SmallStack.overflow(depth ->
            trial.context.push(
                new Step(Uses.writing(variable, other), depth % 2 == 0, ran::incrementAndGet)));
        CancelScope soon = CancelScope.withDeadline(Duration.ofSeconds(10));
        assertNull(trial.context.drain(soon));
        assertEquals(variable.version(), other.version(), "both or none");
        trial.context.push(Step.small(Uses.writing(variable, other), () -> {}));
        assertNull(trial.context.await(variable, soon));
        assertNull(trial.context.await(other, soon));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatIsReadAndCancelledInTheDepthLeavesNoTurnBehind(EngineOptions options)
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Trial trial = new Trial(options)) {
        Variable variable = new Variable("x");
        Variable bad = new Variable("bad");
        trial.fail(bad, "bad");
        SmallStack.overflow(depth -> {
          CancelScope scope = CancelScope.open();
          trial.context.push(Step.large(Uses.updating(variable), () -> {}).in(scope));
          scope.cancel("enough");
          assertNotNull(trial.context.await(bad, null));
        });
        CancelScope soon = CancelScope.withDeadline(Duration.ofSeconds(10));
        trial.context.push(Step.large(Uses.writing(variable), () -> {}));
        assertNull(trial.context.await(variable, soon));
        trial.context.push(Step.small(Uses.writing(bad), () -> {}));
        assertNull(trial.context.await(bad, soon));
      }
    }
  }

  /** C3: a wait for all of it does not last for ever. */
  @Test
  void whatWasHandedOverInTheDepthEndsOrNeverBegan() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Workers workers = Workers.of(1, "deep-test")) {
        AtomicInteger ran = new AtomicInteger();
        int returned = SmallStack.overflow(depth -> workers.submit(ran::incrementAndGet));
        workers.quiesce();
        assertEquals(returned, ran.get(), "F11");
      }
    }
  }

  /** C3: a settled value has notified everyone who waits for it. */
  @Test
  void whatIsSettledInTheDepthIsToldOrNotSettled() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      List<Pending> settled = new ArrayList<>();
      AtomicInteger told = new AtomicInteger();
      SmallStack.overflow(depth -> {
        Pending pending = new Pending();
        pending.whenSettled(told::incrementAndGet);
        settled.add(pending);
        pending.settle("there");
      });
      assertEquals(settled.stream().filter(one -> one.peek() != null).count(), told.get(), "F11");
    }
  }
}
