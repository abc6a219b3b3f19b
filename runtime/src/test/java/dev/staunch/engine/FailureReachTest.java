package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a failure, a cancellation or a deadline affects, and what not (C1 to C3, C6). */
@Timeout(60)
class FailureReachTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";

  private final Variable sibling = new Variable("sibling");

  private Fault pushSibling(Trial trial, CancelScope scope) {
    trial.context.push(Step.large(Uses.writing(sibling), () -> {}).in(scope));
    return trial.context.await(sibling, null);
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFailureInAScopeBelowCancelsTheSiblingsAbove(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open().failFast();
      Variable bad = new Variable("bad");
      trial.context.push(
          Step.failing(Uses.writing(bad), Fault.value("root")).in(scope.child().child()));
      assertNotNull(trial.context.await(bad, null));
      assertEquals(CancelReason.SIBLING_FAILED, pushSibling(trial, scope).reason(), "C6");
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aCancelledPartIsNoFailureOfTheWhole(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open().failFast();
      CancelScope part = scope.child();
      part.cancel("not needed");
      assertEquals(CancelReason.USER, pushSibling(trial, part).reason());
      assertNull(pushSibling(trial, scope), "C6");
    }
  }

  @ParameterizedTest
  @MethodSource(THREADED)
  void aFailureSettlesTheSiblingsThatWaitBehindAStuckTask(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CountDownLatch pushed = new CountDownLatch(1);
      CancelScope scope = CancelScope.open().failFast();
      Variable blocked = new Variable("blocked");
      trial.context.push(
          new Step(
                  Uses.NONE,
                  false,
                  () -> {
                    Trial.await(pushed);
                    return Fault.value("root");
                  })
              .in(scope));
      EngineContext other = trial.engine.open("other");
      Thread holder =
          Thread.ofPlatform()
              .start(() ->
                  other.runHere(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)), null));
      while (blocked.version() == 0 && holder.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      Uses uses = Uses.reading(blocked).andWriting(sibling);
      trial.context.push(Step.large(uses, () -> {}).in(scope));
      pushed.countDown();
      assertEquals(
          CancelReason.SIBLING_FAILED, trial.context.await(sibling, null).reason(), "C3, C6");
      stuck.countDown();
      Trial.join(holder);
    }
  }

  /** C3: a wait for everything in a context settles what is late in it. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void aWaitForAllEndsWithTheDeadlineOfWhatItWaitsFor(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      Variable blocked = new Variable("blocked");
      EngineContext other = trial.engine.open("other");
      other.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      Step late = Step.large(Uses.reading(blocked), () -> {});
      trial.context.push(late.in(CancelScope.withDeadline(Duration.ofMillis(1))));
      assertNull(trial.context.drain(null), "C3");
      Fault fault = assertInstanceOf(Fault.class, late.outcome);
      assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type());
      stuck.countDown();
    }
  }

  /** C3: without a sweep, because there may be none. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void whatIsPushedIntoACancelledScopeIsSettledBeforePushReturns(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      Variable blocked = new Variable("blocked");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      CancelScope scope = CancelScope.open();
      scope.cancel("enough");
      Step late = Step.large(Uses.reading(blocked), () -> {});
      trial.context.push(late.in(scope));
      assertInstanceOf(Fault.class, late.outcome, "C3");
      stuck.countDown();
    }
  }

  /** F6: a value that arrived with a fault has its position in program order too. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultThatTheProgramBroughtAlongComesWhereItWasRaised(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Fault brought = trial.context.raise(Fault.value("brought along"), null);
      Variable both = new Variable("both");
      Fault later = trial.fail(both, "later");
      Fault seen = trial.context.await(both, null);
      assertTrue(later.isSameAs(seen));
      assertEquals("brought along", seen.merge(brought).message(), "F6");
      assertEquals("brought along", brought.merge(seen).message(), "F6");
    }
  }

  /** C6: also a fault that is known before there is a task to fail. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultThatIsRaisedCancelsTheSiblings(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open().failFast();
      trial.context.raise(Fault.cancelled(CancelReason.USER, "no failure"), scope);
      assertNull(scope.check(), "C6");
      Fault raised = trial.context.raise(Fault.value("brought along"), scope.child());
      Fault fault = pushSibling(trial, scope);
      assertEquals(CancelReason.SIBLING_FAILED, fault.reason(), "C6");
      assertTrue(fault.suppressed().getFirst().isSameAs(raised));
    }
  }

  /** F5: ordered by where each variable is first named, even as one that is read. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void thePlacesOfAnArrayAreThoseInWhichItsVariablesAreFirstNamed(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable first = new Variable("first");
      Variable second = new Variable("second");
      Fault fault = Fault.value("bad");
      Uses uses = Uses.reading(first).andWriting(second).andWriting(first);
      trial.context.push(Step.failing(uses, new Object[] {fault, Task.DONE}));
      assertTrue(fault.isSameAs(trial.context.await(first, null)), "F5");
      assertNull(trial.context.await(second, null), "F5");
    }
  }
}
