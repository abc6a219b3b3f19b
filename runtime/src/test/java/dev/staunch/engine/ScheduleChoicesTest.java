package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller may choose: which task comes first (E7), and what a failure ends (C6). */
class ScheduleChoicesTest {
  @Test
  void theHighestPriorityComesFirstAndAmongEqualsTheFirstPushed() {
    List<String> order = new CopyOnWriteArrayList<>();
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      CountDownLatch pushed = keepBusy(trial);
      trial.context.push(Step.large(Uses.NONE, () -> order.add("first of 0")));
      trial.context.push(Step.large(Uses.NONE, () -> order.add("5")).withPriority(5));
      trial.context.push(Step.large(Uses.NONE, () -> order.add("-1")).withPriority(-1));
      trial.context.push(Step.large(Uses.NONE, () -> order.add("second of 0")));
      pushed.countDown();
      trial.context.waitAll();
    }
    assertEquals(List.of("5", "first of 0", "second of 0", "-1"), order);
  }

  /** The only worker has a task until the latch is released. */
  private static CountDownLatch keepBusy(Trial trial) {
    CountDownLatch until = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    trial.context.push(
        Step.large(
            Uses.NONE,
            () -> {
              busy.countDown();
              Trial.await(until);
            }));
    Trial.await(busy);
    return until;
  }

  /** E7: whichever of them the worker would have continued with. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#withOneThread")
  void ofThoseWhoseTurnOneTaskBringsTheMostUrgentComesFirst(EngineOptions options) {
    for (int urgent = 0; urgent < 3; urgent++) {
      List<Integer> order = new CopyOnWriteArrayList<>();
      try (Trial trial = new Trial(options)) {
        pushThreeThatWaitForOne(trial.context, urgent, order);
        trial.context.waitAll();
        assertNull(trial.context.drain(null), "those that the task has pushed");
      }
      assertEquals(Set.of(0, 1, 2), Set.copyOf(order));
      assertEquals(urgent, order.getFirst());
    }
  }

  private static void pushThreeThatWaitForOne(
      EngineContext context, int urgent, List<Integer> order) {
    Variable[] written = {new Variable("a"), new Variable("b"), new Variable("c")};
    Runnable pushReaders =
        () -> {
          for (int i = 0; i < written.length; i++) {
            int number = i;
            Step reader = Step.large(Uses.reading(written[i]), () -> order.add(number));
            context.push(reader.withPriority(i == urgent ? 5 : 0));
          }
        };
    context.push(Step.large(Uses.writing(written), pushReaders));
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#all")
  void failFastCancelsWhatComesAfterAFailureAndDrainRunsIt(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope request = CancelScope.open();
      Fault failed = failIn(trial, request.failFast());
      assertEquals(CancelReason.SIBLING_FAILED, failed.reason());
      assertEquals("the first fails", failed.suppressed().getFirst().message());
      Fault drained = failIn(trial, request.child());
      assertEquals("it runs", drained.message());
      trial.context.engine().close();
      assertEquals(0, trial.context.unreadFaults());
    }
  }

  /** The fault of a task that follows a failing one in the same scope. */
  private static Fault failIn(Trial trial, CancelScope scope) {
    Variable first = new Variable("first");
    Variable second = new Variable("second");
    trial.context.push(Step.failing(Uses.writing(first), Fault.value("the first fails")).in(scope));
    Fault seen = trial.context.await(first, null);
    assertEquals("the first fails", assertInstanceOf(Fault.class, seen).message());
    trial.context.push(Step.failing(Uses.writing(second), Fault.value("it runs")).in(scope));
    return assertInstanceOf(Fault.class, trial.context.await(second, null));
  }

  /** E9: a seed determines which task finishes next as well as which one starts. */
  @Test
  void underSomeSeedATaskThatStartsLaterFinishesFirst() {
    assertTrue(LongStream.range(0, 20).anyMatch(ScheduleChoicesTest::overtakes));
  }

  private static boolean overtakes(long seed) {
    List<Integer> started = new ArrayList<>();
    List<Integer> settled = new ArrayList<>();
    try (Trial trial = new Trial(EngineOptions.seeded(seed, 4))) {
      for (int i = 0; i < 4; i++) {
        int number = i;
        trial.context.push(
            new Task(Uses.NONE) {
              @Override
              protected Object run() {
                return started.add(number);
              }

              @Override
              protected void settle(Object outcome) {
                settled.add(number);
              }
            });
      }
      trial.context.waitAll();
    }
    assertEquals(Set.copyOf(started), Set.copyOf(settled));
    return !started.equals(settled);
  }
}
