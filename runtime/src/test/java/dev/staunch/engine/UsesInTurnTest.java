package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A task that finds in its turn that it does less with its variables than it declared neither takes
 * a fault from the others nor leaves one there, whether it is run, skipped or given up (F2, F4,
 * C2).
 */
@Timeout(60)
class UsesInTurnTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";

  /** A task that turns out to use {@code own}. */
  private static final class Late extends Task {
    private final Uses own;
    private final Object outcome;

    Late(Uses declared, Uses own, Object outcome) {
      super(declared);
      this.own = own;
      this.outcome = outcome;
    }

    @Override
    protected Uses usesInTurn() {
      return own;
    }

    @Override
    protected Object run() {
      return outcome;
    }
  }

  private final Variable one = new Variable("one");
  private final Variable other = new Variable("other");

  private Late updatingOne(Object outcome) {
    return new Late(Uses.updating(one, other), Uses.updating(one), outcome);
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void itsFaultIsLeftInWhatItWritesAlone(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      trial.context.push(updatingOne(Fault.value("bad")));
      assertNotNull(trial.context.await(one, null));
      assertNull(trial.context.await(other, null));
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void itRunsAndHealsNothingThoughTheOtherHoldsAFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Fault before = trial.fail(other, "before");
      trial.context.push(updatingOne(Task.DONE));
      trial.context.push(new Late(Uses.writing(one, other), Uses.writing(one), Task.DONE));
      assertNull(trial.context.await(one, null));
      assertEquals(before.message(), trial.context.await(other, null).message());
    }
  }

  /** Like a write that turns out to leave a part as it was. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatItReadsAfterAllHoldsItUp(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Fault before = trial.fail(one, "before");
      trial.context.push(new Late(Uses.writing(one), Uses.updating(one), Task.DONE));
      assertEquals(before.message(), trial.context.await(one, null).message());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void cancelledItLeavesItsFaultInWhatItWritesAlone(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open();
      scope.cancel("enough");
      trial.context.push(updatingOne(Task.DONE).in(scope));
      assertEquals(CancelReason.USER, trial.context.await(one, null).reason());
      assertNull(trial.context.await(other, null));
    }
  }

  /** C2, E6: as if it had been examined in its turn, which comes later. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void givenUpBeforeItsTurnItLeavesAFaultThatOutranksItsOwn(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      trial.context.push(
          new Step(
              Uses.writing(one, other),
              false,
              () -> {
                Trial.await(stuck);
                return Fault.value("failed");
              }));
      trial.context.push(Step.large(Uses.updating(one), () -> {}).in(scope));
      trial.context.push(Step.large(Uses.writing(other), () -> {}).in(scope));
      scope.cancel("enough");
      stuck.countDown();
      assertEquals("failed", trial.context.await(one, null).message(), "C2");
      assertEquals(CancelReason.USER, trial.context.await(other, null).reason(), "F4");
    }
  }
}
