package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A deadline states its budget and where the time went, and leaves nothing behind (C5). */
class DeadlineTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";
  private static final Duration BUDGET = Duration.ofMillis(60);

  /** The clock of the deadlines here, so that a busy machine makes no difference. */
  private final AtomicLong clock = new AtomicLong();

  private CancelScope deadline() {
    return CancelScope.withDeadline(BUDGET, clock::get);
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void assertTold(String pattern, Fault fault) {
    assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type());
    assertTrue(fault.message().matches(pattern), fault::message);
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void theFaultSaysTheBudgetAndWhichOperationsTookTheTime(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = deadline();
      Variable x = new Variable("x");
      for (int i = 1; i <= 9; i++) {
        int millis = i;
        Step step = Step.large(Uses.updating(x), () -> pass(millis));
        trial.context.push(step.called("step " + i).in(scope.child()));
      }
      assertNull(trial.context.await(x, null));
      pass(20);
      trial.context.push(Step.large(Uses.updating(x), () -> {}).in(scope));
      Fault fault = trial.context.await(x, null);
      assertTold(
          "the deadline of 60 ms passed: 65 ms went by, 0 ms in waits for values; 45 ms in 9"
              + " operations, the longest step 9 \\(9 ms\\), step 8 \\(8 ms\\), step 7 \\(7 ms\\)",
          fault);
    }
  }

  @ParameterizedTest
  @MethodSource(THREADED)
  void theFaultNamesWhatIsNotFinished(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = deadline();
      CountDownLatch runs = new CountDownLatch(1);
      CountDownLatch stuck = new CountDownLatch(1);
      Variable x = new Variable("x");
      Step endless =
          Step.large(
              Uses.writing(x),
              () -> {
                runs.countDown();
                Trial.await(stuck);
              });
      trial.context.push(endless.called("endless").in(scope));
      Trial.await(runs);
      scope.waitBegins();
      pass(61);
      Fault fault = trial.context.await(x, scope);
      assertTold(".*: 61 ms went by, 61 ms in waits for values; not finished: endless.*", fault);
      scope.waitEnds();
      stuck.countDown();
      assertNull(trial.context.await(x, null), "C4: a result that comes after all is one");
    }
  }

  @ParameterizedTest
  @MethodSource(THREADED)
  void theFaultSaysHowLongItsReaderHasWaited(EngineOptions options) {
    Variable x = new Variable("x");
    assertToldHowLong(options, x, (context, wait) -> context.await(x, wait));
    assertToldHowLong(options, x, EngineContext::drain);
  }

  private void assertToldHowLong(
      EngineOptions options, Variable x, BiFunction<EngineContext, CancelScope, Fault> wait) {
    try (Trial trial = new Trial(options)) {
      CancelScope scope = deadline();
      CountDownLatch stuck = new CountDownLatch(1);
      trial.context.push(Step.large(Uses.writing(x), () -> Trial.await(stuck)));
      AtomicReference<Fault> told = new AtomicReference<>();
      Thread waiter = Thread.ofPlatform().start(() -> told.set(wait.apply(trial.context, scope)));
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      pass(61);
      Trial.join(waiter);
      assertTold(".*: 61 ms went by, 61 ms in waits for values", told.get());
      stuck.countDown();
    }
  }

  @Test
  void budgetsBeyondWhatNanosecondsCountAreForEverOrNone() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertNull(CancelScope.withDeadline(longest).child(longest).check());
    for (Duration none : new Duration[] {longest.negated(), Duration.ofNanos(-1), Duration.ZERO}) {
      CancelScope over = CancelScope.withDeadline(none, clock::get);
      assertTold("the deadline of 0 ms passed.*", over.child(longest).check());
      assertEquals(0, over.remainingNanos());
    }
  }

  /** C1: a deadline that nobody has polled has passed all the same. */
  @Test
  void aDeadlineThatHasPassedIsTheFirstReason() {
    CancelScope scope = deadline();
    pass(60);
    assertFalse(scope.child().cancel("later"));
    assertFalse(scope.cancel("later"));
    assertTold("the deadline of 60 ms passed.*", scope.check());
  }

  @Test
  void theNearestDeadlineCountsWhereverItWasSet() {
    CancelScope scope = deadline();
    CancelScope later = scope.child(BUDGET.multipliedBy(2));
    CancelScope sooner = later.child(BUDGET.dividedBy(2));
    pass(10);
    assertEquals(TimeUnit.MILLISECONDS.toNanos(50), later.remainingNanos(), "C5");
    assertEquals(TimeUnit.MILLISECONDS.toNanos(20), sooner.child().remainingNanos(), "C5");
  }

  @Test
  void stepsThatFollowOneAnotherEachEndWhereTheNextBegins() {
    CancelScope request = deadline();
    CancelScope call = request.child();
    assertNull(call.check("aten::linear"));
    pass(60);
    assertTold(".* in 1 operation, the longest aten::linear \\(60 ms\\)", call.check("next"));
  }

  @Test
  void stepsThatTookNoTimeToSpeakOfAreNotNamed() {
    CancelScope scope = deadline();
    assertNull(scope.check("aten::relu"));
    assertNull(scope.check("aten::linear"));
    pass(60);
    assertTold(
        ".*; 60 ms in 2 operations, the longest aten::linear \\(60 ms\\)", scope.check("next"));
  }

  @Test
  void aScopeSaysWhetherItWasCancelledAndWhy() {
    CancelScope scope = deadline();
    assertEquals("cancel scope", scope.toString());
    pass(60);
    String late = scope.toString();
    assertTrue(late.startsWith("cancel scope, cancelled: the deadline of 60 ms passed"), late);
  }

  @Test
  void aPollInsideAStepNamesThatStep() {
    CancelScope scope = deadline();
    assertNull(scope.check("aten::conv2d"));
    pass(60);
    assertTold(".*; not finished: aten::conv2d \\(60 ms\\)", scope.check());
  }

  @Test
  void whatIsToldIsBoundedHoweverMuchRan() {
    try (Trial trial = new Trial(EngineOptions.serial())) {
      CancelScope scope = deadline();
      for (int i = 0; i < 10_000; i++) {
        Step step = Step.large(Uses.NONE, () -> clock.addAndGet(5_000));
        trial.context.push(step.called("a name that is long ".repeat(20) + i).in(scope));
      }
      assertNull(scope.check());
      pass(60);
      Fault fault = scope.check();
      assertTold("the deadline of .* in 10000 operations.*", fault);
      assertTrue(fault.message().length() < 500, fault::message);
    }
  }

  /** C5: a deadline has no timer at all, so that none can outlive its request. */
  @Test
  void aDeadlineHasNoThreadAndIsForgottenWithItsRequest() {
    try (Trial trial = new Trial(EngineOptions.serial())) {
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      WeakReference<CancelScope> last = new WeakReference<>(null);
      for (int i = 0; i < 10_000; i++) {
        last = new WeakReference<>(request(trial.context));
      }
      assertTrue(before.containsAll(trial.threads()), "no thread came for it");
      assertFalse(
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> !before.contains(thread))
              .anyMatch(thread -> thread.getName().contains("timer")));
      while (last.get() != null) {
        System.gc();
        Thread.onSpinWait();
      }
    }
  }

  private static CancelScope request(EngineContext context) {
    CancelScope scope = CancelScope.withDeadline(Duration.ofHours(1));
    Variable x = new Variable("x");
    context.push(Step.large(Uses.writing(x), () -> {}).in(scope));
    assertNull(context.await(x, scope));
    return scope;
  }
}
