package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Waits make progress, end at an interrupt or a deadline, or say why they cannot (E3, E4). */
@Timeout(60)
class WaitTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  /** Waits, inside a task, for a task that waits inside, and so on. */
  private static void nest(EngineContext context, int depth, AtomicInteger done) {
    if (depth > 0) {
      Variable inner = new Variable("depth " + depth);
      context.push(
          new Step(
              Uses.writing(inner),
              false,
              () -> {
                nest(context, depth - 1, done);
                return Task.DONE;
              }));
      context.waitFor(inner);
    }
    done.incrementAndGet();
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void fiftyNestedWaitsNeedOneWorker(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      AtomicInteger done = new AtomicInteger();
      nest(trial.context, 50, done);
      assertEquals(51, done.get(), "E3");
    }
  }

  /** E3: progress or a fault, never a stack overflow that leaves tasks behind. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#withOneThread")
  void waitsNestedTooDeepAreRefused(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      AtomicInteger done = new AtomicInteger();
      StaunchException thrown =
          assertThrows(StaunchException.class, () -> nest(trial.context, 5_000, done));
      assertEquals(FaultType.OVERLOADED, thrown.fault().type(), "E3");
      assertNull(trial.context.drain(null));
    }
  }

  /** Pushes a task that pushes a task, and so on. */
  private static void pushDeep(EngineContext context, int depth, CountDownLatch done) {
    if (depth == 0) {
      done.countDown();
      return;
    }
    context.push(Step.large(Uses.NONE, () -> pushDeep(context, depth - 1, done)));
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void tasksMayPushTasksWithoutEnd(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch done = new CountDownLatch(1);
      pushDeep(trial.context, 50_000, done);
      while (done.getCount() > 0) {
        assertNull(trial.context.drain(null));
      }
      assertEquals(0, trial.context.faults());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aTaskMayWaitForManyThatItPushed(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      AtomicInteger done = new AtomicInteger();
      List<Variable> outer = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Variable result = new Variable("outer " + i);
        outer.add(result);
        trial.context.push(
            Step.large(
                Uses.writing(result),
                () -> {
                  List<Variable> inner = new ArrayList<>();
                  for (int k = 0; k < 8; k++) {
                    inner.add(new Variable("inner"));
                    trial.context.push(
                        Step.large(Uses.writing(inner.get(k)), done::incrementAndGet));
                  }
                  inner.forEach(trial.context::waitFor);
                }));
      }
      outer.forEach(trial.context::waitFor);
      assertEquals(64, done.get());
    }
  }

  @Test
  void whatATaskPushesStartsWhileItRuns() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      CountDownLatch started = new CountDownLatch(1);
      trial.context.push(
          Step.large(
              Uses.NONE,
              () -> {
                trial.context.push(Step.large(Uses.NONE, started::countDown));
                Trial.await(started);
              }));
      trial.context.waitAll();
    }
  }

  /** E3: the extra room that a waiting task created is gone when it no longer waits. */
  @Test
  void afterWaitsInsideTasksNoMoreRunAtOnceThanThereAreWorkers() {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      for (int i = 0; i < 8; i++) {
        AtomicInteger done = new AtomicInteger();
        trial.context.push(Step.large(Uses.NONE, () -> nest(trial.context, 3, done)));
      }
      assertNull(trial.context.drain(null));
      AtomicInteger running = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      for (int i = 0; i < 200; i++) {
        trial.context.push(
            Step.large(
                Uses.NONE,
                () -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  Thread.onSpinWait();
                  running.decrementAndGet();
                }));
      }
      assertNull(trial.context.drain(null));
      assertEquals(1, most.get());
    }
  }

  @Test
  void asManyTasksRunAtOnceAsThereAreWorkers() {
    try (Trial trial = new Trial(EngineOptions.threaded(4))) {
      for (int round = 0; round < 500; round++) {
        CountDownLatch all = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
          trial.context.push(
              Step.large(
                  Uses.NONE,
                  () -> {
                    all.countDown();
                    Trial.await(all);
                  }));
        }
        trial.context.waitAll();
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aTaskThatWaitsForItselfFailsAndIsNamed(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable own = new Variable("own");
      AtomicReference<Fault> found = new AtomicReference<>();
      trial.context.push(
          Step.large(Uses.updating(own), () -> found.set(trial.context.await(own, null)))
              .called("narcissus"));
      assertNull(trial.context.await(own, null));
      assertEquals(FaultType.VALUE, found.get().type());
      assertTrue(found.get().message().contains("narcissus"), found.get()::message);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aTaskThatWaitsForAllOfItsContextFails(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      AtomicReference<String> found = new AtomicReference<>();
      trial.context.push(
          Step.large(
                  Uses.NONE,
                  () ->
                      found.set(
                          assertThrows(StaunchException.class, trial.context::waitAll)
                              .getMessage()))
              .called("glutton"));
      assertNull(trial.context.drain(null));
      assertTrue(found.get().contains("glutton"), found.get());
    }
  }

  /** Tasks 0 to n-1, each of which waits inside for what the next one writes. */
  private static void cycleOf(int count) {
    try (Trial trial = new Trial(EngineOptions.threaded(count))) {
      CountDownLatch running = new CountDownLatch(count);
      Variable[] variables = new Variable[count];
      Fault[] found = new Fault[count];
      for (int i = 0; i < count; i++) {
        variables[i] = new Variable("v" + i);
      }
      for (int i = 0; i < count; i++) {
        int number = i;
        trial.context.push(
            Step.large(
                    Uses.updating(variables[i]),
                    () -> {
                      running.countDown();
                      Trial.await(running);
                      found[number] = trial.context.await(variables[(number + 1) % count], null);
                    })
                .called("knight " + i));
      }
      assertNull(trial.context.drain(null));
      List<Fault> faults = Stream.of(found).filter(f -> f != null).toList();
      assertTrue(!faults.isEmpty(), "E3");
      for (int i = 0; i < count; i++) {
        assertTrue(faults.getFirst().message().contains("knight " + i), faults.toString());
      }
    }
  }

  @Test
  void aCycleOfTwoTasksIsNamed() {
    cycleOf(2);
  }

  @Test
  void aCycleOfThreeTasksIsNamed() {
    cycleOf(3);
  }

  @Test
  void tasksOfTwoContextsThatWaitForEachOthersContextFail() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      EngineContext other = trial.engine.open("other");
      CountDownLatch running = new CountDownLatch(2);
      AtomicInteger failed = new AtomicInteger();
      for (EngineContext context : List.of(trial.context, other)) {
        EngineContext opposite = context == other ? trial.context : other;
        context.push(
            Step.large(
                Uses.NONE,
                () -> {
                  running.countDown();
                  Trial.await(running);
                  failed.addAndGet(opposite.drain(null) == null ? 0 : 1);
                }));
      }
      assertNull(other.drain(null));
      assertNull(trial.context.drain(null));
      assertTrue(failed.get() >= 1, "E3");
    }
  }

  @Test
  void aCycleThroughAReaderThatWasQueuedIsFound() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      CountDownLatch pushed = new CountDownLatch(1);
      Variable held = new Variable("held");
      Variable shared = new Variable("shared");
      AtomicReference<Fault> found = new AtomicReference<>();
      trial.context.push(
          Step.large(
              Uses.updating(held),
              () -> {
                Trial.await(pushed);
                found.set(trial.context.await(shared, null));
              }));
      trial.context.push(Step.large(Uses.reading(held, shared), () -> {}));
      trial.context.push(Step.large(Uses.writing(shared), () -> {}));
      pushed.countDown();
      assertNull(trial.context.await(held, null));
      assertNotNull(found.get(), "E3");
    }
  }

  @Test
  void aReaderBesideOneThatWaitsForThisTaskIsNoCycle() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      CountDownLatch pushed = new CountDownLatch(1);
      CountDownLatch looked = new CountDownLatch(1);
      Variable held = new Variable("held");
      Variable shared = new Variable("shared");
      AtomicReference<Fault> found = new AtomicReference<>();
      trial.context.push(
          Step.large(Uses.writing(shared), () -> Trial.await(looked)).called("slow writer"));
      trial.context.push(
          Step.large(
              Uses.updating(held),
              () -> {
                Trial.await(pushed);
                Thread waiter = Thread.currentThread();
                Thread.ofPlatform().start(() -> releaseAfterParks(waiter, looked));
                found.set(trial.context.await(shared, null));
              }));
      trial.context.push(Step.large(Uses.reading(held, shared), () -> {}));
      pushed.countDown();
      assertNull(trial.context.await(held, null));
      assertNull(found.get(), () -> found.get().message());
    }
  }

  /** Lets the waiter wake and park several times first. */
  private static void releaseAfterParks(Thread waiter, CountDownLatch latch) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long enough = threads.getThreadInfo(waiter.threadId()).getWaitedCount() + 20;
    ThreadInfo now = threads.getThreadInfo(waiter.threadId());
    while (now != null && now.getWaitedCount() < enough) {
      Thread.onSpinWait();
      now = threads.getThreadInfo(waiter.threadId());
    }
    latch.countDown();
  }

  @Test
  void aReadInsideAReadThatWaitsForItIsFound() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      Variable variable = new Variable("x");
      AtomicReference<Fault> found = new AtomicReference<>();
      trial.context.runHere(
          Step.large(
                  Uses.reading(variable),
                  () -> {
                    trial.context.push(Step.large(Uses.writing(variable), () -> {}));
                    found.set(trial.context.await(variable, null));
                  })
              .called("reader"),
          null);
      assertNotNull(found.get(), "E3");
      assertTrue(found.get().message().contains("reader"), found.get()::message);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void anInterruptEndsAWaitAndNothingElse(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      Variable variable = new Variable("x");
      trial.context.push(Step.large(Uses.writing(variable), () -> Trial.await(stuck)));
      AtomicReference<Fault> found = new AtomicReference<>();
      AtomicBoolean stillSet = new AtomicBoolean();
      for (boolean isVirtual : new boolean[] {true, false}) {
        Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
        Thread waiter =
            builder.start(() -> {
              found.set(trial.context.await(variable, null));
              stillSet.set(Thread.currentThread().isInterrupted());
            });
        waiter.interrupt();
        Trial.join(waiter);
        assertTrue(stillSet.getAndSet(false));
        assertEquals(FaultType.CANCELLED, found.getAndSet(null).type(), "E4");
      }
      Thread all = Thread.ofPlatform().start(() -> found.set(trial.context.drain(null)));
      all.interrupt();
      Trial.join(all);
      assertEquals(FaultType.CANCELLED, found.get().type(), "E4");
      stuck.countDown();
      assertNull(trial.context.await(variable, null));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void aDeadlineEndsAWaitAndNothingElse(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      Variable variable = new Variable("x");
      trial.context.push(Step.large(Uses.writing(variable), () -> Trial.await(stuck)));
      CancelScope wait = CancelScope.withDeadline(Duration.ofMillis(20));
      Fault fault = trial.context.await(variable, wait);
      assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type(), "E4");
      assertEquals(CancelReason.DEADLINE, fault.reason());
      CancelScope all = CancelScope.withDeadline(Duration.ofMillis(20));
      assertThrows(
          StaunchException.DeadlineException.class, () -> trial.context.waitAll(all), "E4");
      stuck.countDown();
      assertNull(trial.context.await(variable, null));
    }
  }

  /** C3, E4: at once, not when a waiter happens to poll. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void cancellingEndsTheWaitsOfManyBeforeItReturns(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      Variable blocked = new Variable("blocked");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      CancelScope scope = CancelScope.open();
      List<Step> reads = new ArrayList<>();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Step read = Step.large(Uses.reading(blocked), () -> {});
        reads.add(read);
        readers.add(Thread.ofPlatform().start(() -> trial.context.runHere(read, scope.child())));
      }
      for (Thread reader : readers) {
        while (reader.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
      scope.cancel("enough");
      for (Step read : reads) {
        assertTrue(read.isOver(), "E4: another thread may be about to settle it");
      }
      readers.forEach(Trial::join);
      for (Step read : reads) {
        assertTrue(read.outcome instanceof Fault, "C3");
      }
      stuck.countDown();
      assertNull(trial.context.await(blocked, null));
    }
  }

  @Test
  void aWaiterOnASerialEngineThatIsBusyCanBeInterruptedToo() {
    try (Trial trial = new Trial(EngineOptions.serial())) {
      CountDownLatch stuck = new CountDownLatch(1);
      CountDownLatch runs = new CountDownLatch(1);
      Variable variable = new Variable("x");
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
      AtomicReference<Fault> found = new AtomicReference<>();
      Thread waiter =
          Thread.ofPlatform().start(() -> found.set(trial.context.await(variable, null)));
      waiter.interrupt();
      Trial.join(waiter);
      assertEquals(FaultType.CANCELLED, found.get().type(), "E4, E6");
      CancelScope soon = CancelScope.withDeadline(Duration.ofMillis(20));
      assertEquals(
          FaultType.DEADLINE_EXCEEDED, trial.context.await(variable, soon).type(), "E4, E6");
      stuck.countDown();
      Trial.join(pusher);
    }
  }

  @Test
  void aThousandVirtualThreadsPushAndWait() throws InterruptedException {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      Variable variable = new Variable("counter");
      int[] counter = new int[1];
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  trial.context.push(Step.large(Uses.updating(variable), () -> counter[0]++));
                  trial.context.waitFor(variable);
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(1_000, counter[0], "E2");
    }
  }
}
