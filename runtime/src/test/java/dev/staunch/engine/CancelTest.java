package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cancelled work stops, says why, and keeps nobody waiting (C1 to C5). */
@Timeout(60)
class CancelTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";
  private static final int LONG = 20_000;

  @ParameterizedTest
  @EnumSource(CancelReason.class)
  void cancellingAScopeCancelsWhatIsBelowAndNothingAbove(CancelReason why) {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      CancelScope request = CancelScope.open();
      CancelScope call = request.child();
      CancelScope loop = call.child();
      assertTrue(call.cancel(why, "because"));
      assertFalse(call.cancel(CancelReason.USER, "later"), "the first reason stays");
      assertNull(request.check(), "C1");
      assertEquals(why, loop.check().reason());
      Variable above = new Variable("above");
      Variable below = new Variable("below");
      trial.context.push(Step.large(Uses.writing(above), () -> {}).in(request));
      trial.context.push(Step.large(Uses.writing(below), () -> {}).in(loop));
      assertNull(trial.context.await(above, null));
      Fault fault = trial.context.await(below, null);
      assertEquals(why, fault.reason());
      assertEquals("because", fault.message());
      boolean late = why == CancelReason.DEADLINE;
      assertEquals(late ? FaultType.DEADLINE_EXCEEDED : FaultType.CANCELLED, fault.type());
    }
  }

  /** C1: everything below is already cancelled by then. */
  @Test
  void theReasonOfAScopeAroundStays() {
    CancelScope request = CancelScope.open();
    CancelScope call = request.child();
    assertTrue(request.cancel(CancelReason.CLIENT_GONE, "gone"));
    assertFalse(call.cancel("later"));
    assertSame(request.check(), call.check(), "the first reason stays");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void anInputsOwnFaultOutranksTheCancellation(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open();
      Variable bad = new Variable("bad");
      Variable good = new Variable("good");
      Fault fault = trial.fail(bad, "the input's own");
      assertNotNull(trial.context.await(bad, null));
      scope.cancel("stop");
      trial.context.push(Step.large(Uses.updating(bad), () -> {}).in(scope));
      trial.context.push(Step.large(Uses.updating(good), () -> {}).in(scope));
      assertTrue(fault.isSameAs(trial.context.await(bad, null)), "C2");
      assertEquals(CancelReason.USER, trial.context.await(good, null).reason());
    }
  }

  /** C2, F6: also when the cancelled input comes first in program order. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFailedInputOutranksACancelledOne(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open();
      scope.cancel("stop");
      Variable cancelled = new Variable("cancelled");
      Variable failed = new Variable("failed");
      Variable result = new Variable("result");
      trial.context.push(Step.large(Uses.writing(cancelled), () -> {}).in(scope));
      Fault failure = trial.fail(failed, "failed");
      Uses both = Uses.reading(cancelled, failed).andWriting(result);
      trial.context.push(Step.large(both, () -> {}));
      Fault seen = trial.context.await(result, null);
      assertTrue(failure.isSameAs(seen), "C2");
      assertEquals(CancelReason.USER, seen.suppressed().getFirst().reason(), "F6");
    }
  }

  /** C3 for tasks that had not begun, C4 for one that had. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void whatIsQueuedBehindAStuckTaskIsSettledAndItsReadersWake(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable blocked = new Variable("blocked");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      List<Variable> results =
          IntStream.range(0, 10).mapToObj(i -> new Variable("result " + i)).toList();
      Step[] steps = new Step[10];
      for (int i = 0; i < 10; i++) {
        steps[i] = Step.large(Uses.reading(blocked).andWriting(results.get(i)), () -> {});
        trial.context.push(steps[i].in(scope));
      }
      Thread canceller = Thread.ofVirtual().start(() -> scope.cancel("enough"));
      for (Variable result : results) {
        Fault fault = trial.context.await(result, null);
        assertEquals(CancelReason.USER, fault.reason(), "C3");
      }
      for (Step step : steps) {
        assertNotNull(step.outcome);
      }
      Trial.join(canceller);
      stuck.countDown();
      assertNull(trial.context.await(blocked, null), "C4: what ran before stays");
    }
  }

  /** C3: also if other tasks depend on the cancelled one, and all workers are stuck. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void whatDependsOnTheCancelledIsSettledWithoutAWorker(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable blocked = new Variable("blocked");
      for (int i = 0; i < options.workers(); i++) {
        Uses uses = i == 0 ? Uses.writing(blocked) : Uses.NONE;
        trial.context.push(Step.large(uses, () -> Trial.await(stuck)));
      }
      Variable result = new Variable("result");
      trial.context.push(Step.large(Uses.reading(blocked).andWriting(result), () -> {}).in(scope));
      for (int i = 0; i < LONG; i++) {
        trial.context.push(Step.large(Uses.updating(result), () -> {}));
      }
      scope.cancel(CancelReason.CLIENT_GONE, "the client hung up");
      Fault fault = trial.context.await(result, null);
      assertEquals(CancelReason.CLIENT_GONE, fault.reason(), "C3");
      assertEquals(LONG + 1, fault.reach().skipped(), "F7");
      stuck.countDown();
    }
  }

  /** C3: a ready task that waits only for a worker is settled too. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void cancellingSettlesAtOnceWhatOnlyWaitsForAWorker(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CountDownLatch runs = new CountDownLatch(options.workers());
      CancelScope scope = CancelScope.open();
      for (int i = 0; i < options.workers(); i++) {
        trial.context.push(
            Step.large(
                Uses.NONE,
                () -> {
                  runs.countDown();
                  Trial.await(stuck);
                }));
      }
      Trial.await(runs);
      Step ready = Step.large(Uses.writing(new Variable("x")), () -> {});
      trial.context.push(ready.in(scope.child()));
      assertNull(ready.outcome);
      scope.cancel("enough");
      assertNotNull(ready.outcome, "nobody had to wait for it");
      Step late = Step.large(Uses.writing(new Variable("y")), () -> {});
      trial.context.push(late.in(scope));
      assertNotNull(late.outcome, "settled where it was pushed");
      stuck.countDown();
    }
  }

  /** C3: a thread in one context waits for what another context has pushed. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void aDeadlineOfOneContextWakesAReaderInAnother(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext other = trial.engine.open("other");
      CountDownLatch stuck = new CountDownLatch(1);
      Variable blocked = new Variable("blocked");
      Variable result = new Variable("result");
      other.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      other.push(
          Step.large(Uses.reading(blocked).andWriting(result), () -> {})
              .in(CancelScope.withDeadline(Duration.ofMillis(5))));
      Fault fault = trial.context.await(result, null);
      assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type());
      stuck.countDown();
    }
  }

  /** C3, E6: a serial engine's reader does not wait for another thread's stuck task either. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#turns")
  void aReaderOfTheCancelledDoesNotWaitForAnotherThreadsTask(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CountDownLatch runs = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable blocked = new Variable("blocked");
      Variable result = new Variable("result");
      Thread pusher =
          Thread.ofPlatform()
              .start(() -> {
                trial.context.push(
                    Step.large(
                        Uses.writing(blocked),
                        () -> {
                          runs.countDown();
                          Trial.await(stuck);
                        }));
                trial.context.drain(null);
              });
      Trial.await(runs);
      Thread second =
          Thread.ofPlatform()
              .start(() ->
                  trial.context.push(
                      Step.large(Uses.reading(blocked).andWriting(result), () -> {}).in(scope)));
      scope.cancel("enough");
      Trial.join(second);
      assertEquals(CancelReason.USER, trial.context.await(result, null).reason());
      stuck.countDown();
      Trial.join(pusher);
    }
  }

  /** C2: the faults of two inputs have arrived; a third input is pending at the cancellation. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void faultsThatAreThereOutrankACancellationBeforeItsTurn(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable first = new Variable("first");
      Variable second = new Variable("second");
      Variable blocked = new Variable("blocked");
      Variable result = new Variable("result");
      trial.fail(first, "first");
      trial.fail(second, "second");
      trial.context.drain(null);
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      Uses uses = Uses.reading(second, first, blocked).andWriting(result);
      trial.context.push(Step.large(uses, () -> {}).in(scope));
      scope.cancel("enough");
      Fault fault = trial.context.await(result, null);
      assertEquals("first", fault.message(), "C2, F6");
      assertEquals("second", fault.suppressed().getFirst().message(), "F6");
      Step here = Step.large(Uses.reading(second, blocked), () -> {});
      trial.context.runHere(here, CancelScope.withDeadline(Duration.ofMillis(1)));
      assertEquals("second", assertInstanceOf(Fault.class, here.outcome).message(), "C2");
      stuck.countDown();
    }
  }

  @ParameterizedTest
  @MethodSource(THREADED)
  void manyCancelledWhileTheyArePushedKeepNoVariable(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      for (int round = 0; round < 300; round++) {
        CancelScope scope = CancelScope.open();
        Thread sweeper =
            Thread.ofVirtual()
                .start(() -> {
                  scope.cancel("race");
                  trial.context.drain(null);
                });
        for (int i = 0; i < 5; i++) {
          trial.context.push(Step.large(Uses.updating(variable), () -> {}).in(scope));
        }
        trial.context.push(Step.large(Uses.writing(variable), () -> {}));
        assertNull(trial.context.await(variable, null), "C3");
        Trial.join(sweeper);
      }
      assertEquals(300 * 6, variable.version());
    }
  }

  private static String cancelledOf(long seed) {
    StringBuilder told = new StringBuilder();
    try (Trial trial = new Trial(EngineOptions.seeded(seed, 3))) {
      CancelScope request = CancelScope.open();
      CancelScope call = request.child().failFast();
      Variable[] cells =
          IntStream.range(0, 10).mapToObj(i -> new Variable()).toArray(Variable[]::new);
      List<Step> steps =
          IntStream.range(0, 30)
              .mapToObj(i -> {
                Uses uses = Uses.updating(cells[i % 10]);
                return i % 7 == 5
                    ? Step.failing(uses, Fault.value("fault " + i))
                    : i == 22
                        ? Step.large(uses, () -> request.cancel("enough"))
                        : Step.large(uses, () -> {});
              })
              .toList();
      for (int i = 0; i < steps.size(); i++) {
        trial.context.push(steps.get(i).in(i % 2 == 0 ? call : request));
      }
      trial.context.drain(null);
      steps.forEach(step -> told.append(step.outcome).append('\n'));
    }
    return told.toString();
  }

  /** C4, E9: which results exist may depend on the schedule, but on nothing else. */
  @Test
  void aSeedReplaysWhatIsCancelledToo() {
    Set<String> different = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      String told = cancelledOf(seed);
      assertEquals(told, cancelledOf(seed), "seed " + seed);
      different.add(told);
    }
    assertTrue(different.size() > 1, "schedules differ");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aDeadlineIsInheritedAndSaysWhereTheTimeWent(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope request = CancelScope.withDeadline(Duration.ofNanos(1));
      CancelScope loop = request.child().child(Duration.ofHours(1));
      Variable variable = new Variable("x");
      trial.context.push(Step.large(Uses.writing(variable), () -> {}).in(loop));
      Fault fault = trial.context.await(variable, null);
      assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type(), "C5");
      assertTrue(fault.message().contains("waits"), fault::message);
      assertSame(loop.check().reach(), fault.reach());
    }
  }

  @ParameterizedTest
  @MethodSource(THREADED)
  void aLongTaskThatPollsStops(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = CancelScope.open();
      CountDownLatch runs = new CountDownLatch(1);
      Variable variable = new Variable("x");
      trial.context.push(
          new Step(
                  Uses.writing(variable),
                  false,
                  () -> {
                    runs.countDown();
                    Fault stop = scope.check();
                    while (stop == null) {
                      Thread.onSpinWait();
                      stop = scope.check();
                    }
                    return stop;
                  })
              .in(scope));
      Trial.await(runs);
      scope.cancel(CancelReason.CLIENT_GONE, "nobody listens");
      assertEquals(CancelReason.CLIENT_GONE, trial.context.await(variable, null).reason(), "C3");
    }
  }

  /** F9: nobody could tell why. */
  @Test
  void withoutAReasonNothingIsCancelled() {
    CancelScope scope = CancelScope.open();
    assertThrows(NullPointerException.class, () -> scope.cancel(null));
    assertThrows(NullPointerException.class, () -> scope.cancel(CancelReason.USER, null));
    assertThrows(NullPointerException.class, () -> scope.cancel(null, "because"));
    assertNull(scope.check(), "C1");
    assertTrue(scope.cancel("because"));
  }

  /**
   * C3: waiting tasks are counted and queued by the scope and priority with which they were pushed.
   */
  @ParameterizedTest
  @MethodSource(THREADED)
  void whatWasPushedKeepsItsScopeAndItsPriority(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable blocked = new Variable("blocked");
      Task running = Step.large(Uses.writing(blocked), () -> Trial.await(stuck));
      Task waiting = Step.large(Uses.updating(blocked), () -> {});
      trial.context.push(running);
      trial.context.push(waiting);
      assertThrows(IllegalStateException.class, () -> running.in(scope));
      assertThrows(IllegalStateException.class, () -> waiting.in(scope));
      assertThrows(IllegalStateException.class, () -> waiting.withPriority(1));
      scope.cancel("none of them is in it");
      stuck.countDown();
      assertNull(trial.context.await(blocked, null));
    }
  }
}
