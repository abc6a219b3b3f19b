package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first failure in a fail-fast scope cancels its siblings and nothing else (C2, C6). */
@Timeout(60)
class FailFastTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";

  /** C2, C6: tasks that depend on the first failure have its fault; the others are cancelled. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void failFastLeavesTheDependentsTheirOwnFault(EngineOptions options) {
    for (int round = 0; round < 50; round++) {
      try (Trial trial = new Trial(options)) {
        CancelScope scope = CancelScope.open().failFast();
        CountDownLatch pushed = new CountDownLatch(trial.isThreaded() ? 1 : 0);
        Fault root = Fault.value("root");
        Variable bad = new Variable("bad");
        Variable dependent = new Variable("dependent");
        trial.context.push(
            new Step(
                    Uses.writing(bad),
                    false,
                    () -> {
                      Trial.await(pushed);
                      return root;
                    })
                .in(scope));
        trial.context.push(Step.large(Uses.reading(bad).andWriting(dependent), () -> {}).in(scope));
        trial.context.push(Step.large(Uses.updating(dependent), () -> {}).in(scope));
        pushed.countDown();
        assertTrue(root.isSameAs(trial.context.await(dependent, null)), "C2");
        Variable sibling = new Variable("sibling");
        trial.context.push(Step.large(Uses.writing(sibling), () -> {}).in(scope));
        assertEquals(CancelReason.SIBLING_FAILED, trial.context.await(sibling, null).reason());
      }
    }
  }

  /** C1: a task that is still running fails after the cancellation. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFailureAfterACancellationFurtherOutLeavesItsReason(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope request = CancelScope.open();
      CancelScope scope = request.failFast();
      Variable bad = new Variable("bad");
      Fault root = Fault.value("root");
      Step failing =
          new Step(
              Uses.writing(bad),
              false,
              () -> {
                request.cancel(CancelReason.CLIENT_GONE, "gone");
                return root;
              });
      trial.context.push(failing.in(scope));
      assertTrue(root.isSameAs(trial.context.await(bad, null)));
      assertEquals(CancelReason.CLIENT_GONE, scope.check().reason(), "C1");
    }
  }

  /**
   * F2: a task that needs two cancelled values does not depend on the failure that cancelled them.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatNeedsSeveralSiblingsIsCancelledAsTheyAre(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open().failFast();
      Variable bad = new Variable("bad");
      Variable x = new Variable("x");
      Variable y = new Variable("y");
      Variable both = new Variable("both");
      Fault root = Fault.value("root");
      trial.context.push(Step.failing(Uses.writing(bad), root).in(scope));
      assertTrue(root.isSameAs(trial.context.await(bad, null)));
      trial.context.push(Step.large(Uses.writing(x), () -> {}).in(scope));
      trial.context.push(Step.large(Uses.writing(y), () -> {}).in(scope));
      trial.context.push(Step.large(Uses.reading(x, y).andWriting(both), () -> {}));
      Fault fault = trial.context.await(both, null);
      assertEquals(CancelReason.SIBLING_FAILED, fault.reason(), "F2, C6");
      assertTrue(fault.suppressed().getFirst().isSameAs(root), "it says which");
    }
  }

  /**
   * C2: a thread sweeps after the failure is reported, but before the fault is left in what it
   * writes.
   */
  @ParameterizedTest
  @MethodSource(THREADED)
  void aSweepBetweenAFailureAndItsWriteLeavesTheDependentsTheirOwnFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open().failFast();
      CountDownLatch pushed = new CountDownLatch(1);
      Variable bad = new Variable("bad");
      Variable dependent = new Variable("dependent");
      Variable sibling = new Variable("sibling");
      Fault root = Fault.value("root");
      Task failing =
          new Task(Uses.writing(bad)) {
            @Override
            protected Object run() {
              Trial.await(pushed);
              return root;
            }

            @Override
            protected void settle(Object outcome) {
              trial.context.sweep();
              assertNotNull(scope.check(), "no sibling starts from here on");
            }
          };
      trial.context.push(failing.in(scope));
      trial.context.push(Step.large(Uses.reading(bad).andWriting(dependent), () -> {}).in(scope));
      trial.context.push(Step.large(Uses.writing(sibling).andReading(bad), () -> {}).in(scope));
      pushed.countDown();
      assertTrue(root.isSameAs(trial.context.await(dependent, null)), "C2");
      assertTrue(root.isSameAs(trial.context.await(bad, scope)), "C2");
      assertTrue(root.isSameAs(trial.context.await(sibling, null)), "C2");
    }
  }

  /** C3: a task fails because it was given up, while the others of its scope wait. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void aFailureWithoutARunCancelsTheSiblingsToo(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open().failFast();
      Variable blocked = new Variable("blocked");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      Step sibling = Step.large(Uses.reading(blocked), () -> {});
      trial.context.push(sibling.in(scope));
      Task refusing =
          new Task(Uses.NONE) {
            @Override
            protected Object run() {
              return DONE;
            }

            @Override
            protected Fault incoming() {
              return Fault.value("an operand is bad");
            }
          };
      trial.context.push(refusing.in(scope));
      Fault fault = assertInstanceOf(Fault.class, sibling.outcome);
      assertEquals(CancelReason.SIBLING_FAILED, fault.reason(), "C3, C6");
      stuck.countDown();
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void failFastCancelsSiblingsAndDrainDoesNot(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope drain = CancelScope.open();
      CancelScope failFast = CancelScope.open().failFast();
      for (CancelScope scope : List.of(drain, failFast)) {
        Variable bad = new Variable("bad");
        Variable sibling = new Variable("sibling");
        Fault root = Fault.value("root");
        trial.context.push(Step.failing(Uses.writing(bad), root).in(scope));
        assertTrue(root.isSameAs(trial.context.await(bad, null)));
        trial.context.push(Step.large(Uses.writing(sibling), () -> {}).in(scope));
        Fault fault = trial.context.await(sibling, null);
        if (scope == drain) {
          assertNull(fault, "C6");
        } else {
          assertEquals(CancelReason.SIBLING_FAILED, fault.reason(), "C6");
          assertTrue(fault.suppressed().getFirst().isSameAs(root), "it says which");
        }
      }
    }
  }
}
