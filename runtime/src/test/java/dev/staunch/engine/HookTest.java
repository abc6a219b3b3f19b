package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a hook of a task throws is that task's fault, and affects nobody else (F11). */
@Timeout(60)
class HookTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  enum Hook {
    RUN,
    INCOMING,
    SETTLE,
    IS_SMALL,
    MAY_WAIT,
    DEFERRED,
    IS_OBSERVER,
    LOCATE,
    NAME
  }

  /** Hooks that are called only for messages and counts. */
  private static final Set<Hook> HARMLESS = Set.of(Hook.IS_OBSERVER, Hook.LOCATE, Hook.NAME);

  /** Throws in one hook. */
  private static final class Hostile extends Task {
    private final Hook hostile;
    final List<Object> outcomes = new ArrayList<>();

    Hostile(Uses uses, Hook hostile) {
      super(uses);
      this.hostile = hostile;
    }

    private void enter(Hook hook) {
      if (hook == hostile) {
        throw new IllegalStateException("from " + hook);
      }
    }

    @Override
    protected Object run() {
      enter(Hook.RUN);
      return DONE;
    }

    @Override
    protected Fault incoming() {
      enter(Hook.INCOMING);
      return null;
    }

    @Override
    protected void settle(Object outcome) {
      outcomes.add(outcome);
      enter(Hook.SETTLE);
    }

    @Override
    protected boolean isSmall() {
      enter(Hook.IS_SMALL);
      return false;
    }

    @Override
    protected boolean mayWait() {
      enter(Hook.MAY_WAIT);
      return true;
    }

    @Override
    protected void deferred() {
      enter(Hook.DEFERRED);
    }

    @Override
    protected boolean isObserver() {
      enter(Hook.IS_OBSERVER);
      return false;
    }

    @Override
    protected CallSite locate() {
      enter(Hook.LOCATE);
      return null;
    }

    @Override
    protected String name() {
      enter(Hook.NAME);
      return "hostile";
    }
  }

  /** Asserts that {@code fault} is what {@code hook} threw. */
  private static void assertFrom(Hook hook, Object fault) {
    Fault found = assertInstanceOf(Fault.class, fault, hook::toString);
    assertEquals(FaultType.INTERNAL, found.type());
    assertEquals(
        "the code that ran threw IllegalStateException: from " + hook, found.message(), "F11");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAHookThrowsWhenItsTaskIsPushedIsThatTasksFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      for (Hook hook : Hook.values()) {
        Variable x = new Variable("x");
        Hostile task = new Hostile(Uses.writing(x), hook);
        trial.context.push(task);
        Step after = Step.large(Uses.updating(x), () -> {});
        trial.context.push(after);
        if (HARMLESS.contains(hook) || hook == Hook.MAY_WAIT) {
          assertNull(trial.context.await(x, null), hook::toString);
        } else {
          assertFrom(hook, trial.context.await(x, null));
          assertFrom(hook, after.outcome);
        }
        assertEquals(1, task.outcomes.size(), "settled once");
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAHookThrowsWhenItsTaskRunsWhereItIsCalledIsThatTasksFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Hostile task = new Hostile(Uses.NONE, Hook.MAY_WAIT);
      trial.context.runHere(task, null);
      assertFrom(Hook.MAY_WAIT, task.outcomes.getFirst());
      assertEquals(1, task.outcomes.size(), "settled once");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aScopeIsCancelledWhateverTheHooksOfItsTasksThrow(Hook hook) {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable x = new Variable("x");
      trial.context.push(Step.large(Uses.writing(x), () -> Trial.await(stuck)));
      Hostile task = new Hostile(Uses.updating(x), hook);
      Step other = Step.large(Uses.updating(x), () -> {});
      trial.context.push(task.in(scope));
      trial.context.push(other.in(scope));
      assertTrue(scope.cancel("enough"));
      assertEquals("enough", ((Fault) task.outcomes.getFirst()).message(), "C3");
      assertEquals("enough", ((Fault) other.outcome).message(), "C3");
      assertEquals(1, task.outcomes.size(), "settled once");
      stuck.countDown();
    }
  }

  @Test
  void whatIsMissingIsToldWhereItIsGiven() {
    Variable[] none = {null};
    assertThrows(NullPointerException.class, () -> Uses.reading(none));
    assertThrows(NullPointerException.class, () -> new Hostile(null, Hook.RUN));
    EngineOptions serial = EngineOptions.serial();
    assertThrows(NullPointerException.class, () -> serial.withUnreadFaults(null));
  }

  @Test
  void aStepThatCannotSayItsNameIsCalledByItsClass() {
    Object nameless =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no name today");
          }
        };
    CancelScope scope = CancelScope.withDeadline(Duration.ofHours(1));
    assertNull(scope.check(nameless));
    assertNull(scope.check("next"), "F11");
  }

  @Test
  void aContinuationThatThrowsDoesSoToNobody() {
    Pending there = new Pending();
    there.settle("value");
    there.whenSettled(() -> {
      throw new IllegalStateException("from a continuation");
    });
    assertEquals("value", there.peek());
  }
}
