package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines start and end any number of times, and a stuck task holds up nobody (E8). */
@Timeout(60)
class EngineCloseTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  @ParameterizedTest
  @MethodSource(ENGINES)
  void startingAndStoppingManyTimesLeavesNoThread(EngineOptions options) {
    for (int i = 0; i < 50; i++) {
      try (Trial trial = new Trial(options)) {
        AtomicInteger ran = new AtomicInteger();
        Variable variable = new Variable("x");
        for (int k = 0; k < 20; k++) {
          trial.context.push(Step.large(Uses.updating(variable), ran::incrementAndGet));
        }
        trial.fail(new Variable("y"), "unread");
        trial.context.waitFor(variable);
        assertEquals(20, ran.get());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void closingFinishesWhatWasPushed(EngineOptions options) {
    AtomicInteger ran = new AtomicInteger();
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      for (int k = 0; k < 200; k++) {
        trial.context.push(Step.large(Uses.updating(variable), ran::incrementAndGet));
      }
      assertTrue(trial.engine.close(FOR_EVER), "E8");
    }
    assertEquals(200, ran.get());
  }

  /** No thread pushes or waits there any more that would continue the work. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#turns")
  void closingAContextAtOnceSettlesWhatRanThere(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      for (int i = 0; i < 50; i++) {
        EngineContext context = trial.engine.open("closed at once");
        List<Step> steps = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
          steps.add(Step.large(Uses.writing(new Variable("x")), () -> {}));
        }
        steps.forEach(context::push);
        assertTrue(context.close(Duration.ZERO, Duration.ZERO), "no task is still running");
        steps.forEach(step -> assertNotNull(step.outcome, "ran or was given up"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aGraceMayBeLongerOrShorterThanNanosecondsCount(EngineOptions options) {
    for (Duration grace : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(-1))) {
      Trial trial = new Trial(options);
      try (trial) {
        trial.context.push(Step.large(Uses.NONE, () -> {}));
        trial.context.waitAll();
        assertTrue(trial.engine.close(grace), "E8");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void aTaskThatNeverEndsKeepsNeitherTheCallerNorTheQueue(EngineOptions options) {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch runs = new CountDownLatch(1);
    Trial trial = new Trial(options);
    try (trial) {
      Variable variable = new Variable("x");
      trial.context.push(
          Step.large(
              Uses.writing(variable),
              () -> {
                runs.countDown();
                Trial.await(stuck);
              }));
      Trial.await(runs);
      List<Step> queued = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        queued.add(Step.large(Uses.updating(variable), () -> {}));
        trial.context.push(queued.get(i));
      }
      AtomicReference<Fault> waited = new AtomicReference<>();
      Thread waiter =
          Thread.ofPlatform().start(() -> waited.set(trial.context.await(variable, null)));
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      assertFalse(trial.engine.close(SHORT), "E8");
      trial.threads().forEach(thread -> assertTrue(thread.isDaemon(), "E8"));
      assertFalse(trial.engine.close(SHORT), "it runs still");
      Trial.join(waiter);
      assertEquals(CancelReason.SHUTDOWN, waited.get().reason());
      for (Step step : queued) {
        Fault fault = assertInstanceOf(Fault.class, step.outcome);
        assertEquals(CancelReason.SHUTDOWN, fault.reason());
      }
      Step late = Step.large(Uses.writing(new Variable("late")), () -> {});
      trial.context.push(late);
      assertEquals(CancelReason.SHUTDOWN, assertInstanceOf(Fault.class, late.outcome).reason());
      stuck.countDown();
    }
  }

  /** A task that waits for another engine's task is given up; no task of its own runs. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anEngineThatOnlyWaitsForAnotherClosesQuietly(EngineOptions options) {
    CountDownLatch stuck = new CountDownLatch(1);
    try (Trial other = new Trial(EngineOptions.threaded(1));
        Trial trial = new Trial(options)) {
      Variable variable = stuck(other.context, stuck);
      Step waits = Step.large(Uses.reading(variable), () -> {});
      trial.context.push(waits);
      assertTrue(trial.engine.close(SHORT), "E8");
      assertEquals(CancelReason.SHUTDOWN, assertInstanceOf(Fault.class, waits.outcome).reason());
      stuck.countDown();
    }
  }

  /** E4: a caller that interrupts a close wants it to end. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void anInterruptEndsTheGraceAndStaysSet(EngineOptions options) {
    CountDownLatch end = new CountDownLatch(1);
    try (Trial trial = new Trial(options)) {
      Variable variable = stuck(trial.context, end);
      Step waits = Step.large(Uses.reading(variable), () -> {});
      trial.context.push(waits);
      Thread.currentThread().interrupt();
      assertFalse(trial.engine.close(FOR_EVER), "E8");
      assertTrue(Thread.interrupted(), "E4");
      assertEquals(CancelReason.SHUTDOWN, assertInstanceOf(Fault.class, waits.outcome).reason());
      end.countDown();
    }
  }

  @Test
  void aBusySerialEngineCanBeClosedByAnotherThread() {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch runs = new CountDownLatch(1);
    Trial trial = new Trial(EngineOptions.serial());
    try (trial) {
      Variable variable = new Variable("x");
      Step queued = Step.large(Uses.updating(variable), () -> {});
      Thread pusher =
          Thread.ofPlatform()
              .start(() ->
                  trial.context.push(
                      Step.large(
                          Uses.writing(variable),
                          () -> {
                            runs.countDown();
                            Trial.await(stuck);
                          })));
      Trial.await(runs);
      Thread second = Thread.ofPlatform().start(() -> trial.context.push(queued));
      assertFalse(trial.engine.close(SHORT), "E8");
      Trial.join(second);
      assertFalse(second.isAlive());
      assertInstanceOf(Fault.class, queued.outcome);
      stuck.countDown();
      Trial.join(pusher);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void threadsThatPushWhileTheEngineClosesAreNeverLeftWaiting(EngineOptions options) {
    for (int round = 0; round < 20; round++) {
      Trial trial = new Trial(options);
      CountDownLatch begun = new CountDownLatch(3);
      List<Thread> pushers = new ArrayList<>();
      Queue<Step> steps = new ConcurrentLinkedQueue<>();
      try (trial) {
        Variable variable = new Variable("x");
        for (int t = 0; t < 3; t++) {
          pushers.add(
              Thread.ofPlatform()
                  .start(() -> {
                    Fault end = null;
                    while (end == null || end.reason() != CancelReason.SHUTDOWN) {
                      Step step = Step.large(Uses.updating(variable), () -> {});
                      steps.add(step);
                      trial.context.push(step);
                      end = trial.context.await(variable, null);
                      begun.countDown();
                    }
                  }));
        }
        Trial.await(begun);
        trial.engine.close();
      }
      for (Thread pusher : pushers) {
        Trial.join(pusher);
        assertFalse(pusher.isAlive());
      }
      steps.forEach(step -> assertNotNull(step.outcome, "E8"));
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aClosedContextRefusesWorkAndTheOthersGoOn(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext other = trial.engine.open("other");
      other.close();
      other.close();
      Variable variable = new Variable("x");
      Step late = Step.large(Uses.writing(variable), () -> {});
      other.push(late);
      Fault refused = assertInstanceOf(Fault.class, late.outcome);
      assertEquals(FaultType.CLOSED, refused.type());
      assertEquals(1, refused.reach().skipped(), "F7");
      assertThrows(StaunchException.ClosedException.class, () -> other.waitFor(variable));
      trial.context.push(Step.large(Uses.writing(variable), () -> {}));
      assertNull(trial.context.await(variable, null));
    }
  }

  @Test
  void aTaskOfAClosedContextThatFailsAfterwardsIsTold() {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch runs = new CountDownLatch(1);
    Trial trial = new Trial(EngineOptions.threaded(1));
    try (trial) {
      trial.context.push(
          new Step(
              Uses.NONE,
              false,
              () -> {
                runs.countDown();
                Trial.await(stuck);
                return Fault.value("too late");
              }));
      Trial.await(runs);
      trial.engine.close(SHORT);
      stuck.countDown();
      trial.threads().forEach(Trial::join);
    }
    assertEquals(List.of("too late"), trial.unread.stream().map(Fault::message).toList(), "F10");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void anEngineMayBeClosedTwiceAndRefusesNewContextsWork(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      assertTrue(trial.engine.close(SHORT));
      assertTrue(trial.engine.close(SHORT));
      EngineContext late = trial.engine.open("late");
      Step step = Step.large(Uses.NONE, () -> {});
      late.push(step);
      assertEquals(CancelReason.SHUTDOWN, assertInstanceOf(Fault.class, step.outcome).reason());
    }
  }

  /** F9: messages could not name it. */
  @Test
  void aContextWithoutANameIsRefused() {
    try (Trial trial = new Trial(EngineOptions.serial())) {
      assertThrows(NullPointerException.class, () -> trial.engine.open(null));
    }
  }

  /**
   * Waiting tasks are settled before the close waits for running ones, which may depend on them.
   */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void aContextThatClosesSettlesWhatWaitsAndThenWaitsForWhatRuns(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext closing = trial.engine.open("closing");
      CountDownLatch settled = new CountDownLatch(1);
      Variable variable = stuck(closing, settled);
      closing.push(whenSettled(variable, settled::countDown));
      assertTrue(closing.close(Duration.ZERO, Duration.ofSeconds(30)), "C3");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void whatIsPushedWhileAContextClosesIsSettledToo(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext closing = trial.engine.open("closing");
      CountDownLatch stuck = new CountDownLatch(1);
      Variable variable = stuck(closing, stuck);
      Step late = Step.large(Uses.updating(variable), () -> {});
      closing.push(whenSettled(variable, () -> closing.push(late)));
      assertFalse(closing.close(Duration.ZERO, Duration.ZERO), "E8");
      Fault why = assertInstanceOf(Fault.class, late.outcome, "C3");
      assertEquals("the context closing was closed", why.message());
      stuck.countDown();
    }
  }

  /** A variable that a running task writes, until {@code end}. */
  private static Variable stuck(EngineContext context, CountDownLatch end) {
    Variable variable = new Variable("x");
    CountDownLatch runs = new CountDownLatch(1);
    context.push(
        Step.large(
            Uses.writing(variable),
            () -> {
              runs.countDown();
              Trial.await(end);
            }));
    Trial.await(runs);
    return variable;
  }

  private static Task whenSettled(Variable variable, Runnable action) {
    return new Task(Uses.updating(variable)) {
      @Override
      protected Object run() {
        return DONE;
      }

      @Override
      protected void settle(Object outcome) {
        action.run();
      }
    };
  }

  /** E3: a task that waits for itself would wait until its time limit. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aTaskThatClosesItsEngineDoesNotWaitForItself(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      AtomicReference<Boolean> quiet = new AtomicReference<>();
      CountDownLatch closed = new CountDownLatch(1);
      trial.context.push(
          Step.large(
              Uses.NONE,
              () -> {
                quiet.set(trial.engine.close(FOR_EVER));
                closed.countDown();
              }));
      trial.context.drain(null); // the close may end this wait before the task is over
      Trial.await(closed);
      assertEquals(false, quiet.get(), "E8");
    }
  }

  @Test
  void tasksThatCloseTheirEngineAtOnceDoNotWaitForEachOther() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      CountDownLatch begun = new CountDownLatch(2);
      CountDownLatch closed = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        trial.context.push(
            Step.large(
                Uses.NONE,
                () -> {
                  begun.countDown();
                  Trial.await(begun);
                  assertFalse(trial.engine.close(FOR_EVER), "E8");
                  closed.countDown();
                }));
      }
      Trial.await(closed);
    }
  }
}
