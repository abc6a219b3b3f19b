package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Priorities, bulks, small tasks and seeds change when tasks run, never their results. */
@Timeout(60)
class SchedulingTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  /** E7. */
  @Test
  void theHighestPriorityRunsFirstAndEqualsInTheirOrder() {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      CountDownLatch blocked = new CountDownLatch(1);
      trial.context.push(Step.large(Uses.NONE, () -> Trial.await(blocked)).withPriority(100));
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      int[] priorities = {0, 5, -1, 5, 0, 9};
      for (int i = 0; i < priorities.length; i++) {
        int number = i;
        trial.context.push(
            Step.large(Uses.NONE, () -> order.add(number)).withPriority(priorities[i]));
      }
      blocked.countDown();
      trial.context.waitAll();
      assertEquals(List.of(5, 1, 3, 0, 4, 2), order, "E7");
    }
  }

  @Test
  void equalPrioritiesOfTwoContextsTakeTurns() {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      EngineContext younger = trial.engine.open("younger");
      CountDownLatch blocked = new CountDownLatch(1);
      trial.context.push(Step.large(Uses.NONE, () -> Trial.await(blocked)).withPriority(100));
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < 3; i++) {
        younger.push(Step.large(Uses.NONE, () -> order.add("younger")));
        trial.context.push(Step.large(Uses.NONE, () -> order.add("older")));
      }
      blocked.countDown();
      trial.context.waitAll();
      younger.waitAll();
      assertEquals(
          List.of("younger", "older", "younger", "older", "younger", "older"), order, "E7");
    }
  }

  /** E7, F11: being pushed in bulk does not widen the reach of a fault. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void eachTaskOfABulkHasItsOwnOutcome(EngineOptions options) {
    for (boolean small : new boolean[] {true, false}) {
      try (Trial trial = new Trial(options)) {
        Variable p = new Variable("p");
        Variable x = new Variable("x");
        Variable y = new Variable("y");
        Variable q = new Variable("q");
        Fault bad = Fault.index("x is out of range");
        AtomicInteger ran = new AtomicInteger();
        try (Bulk bulk = trial.context.bulk()) {
          bulk.push(new Step(Uses.writing(p), small, ran::incrementAndGet));
          bulk.push(new Step(Uses.writing(x), small, () -> bad));
          bulk.push(new Step(Uses.reading(x).andWriting(y), small, ran::incrementAndGet));
          bulk.push(new Step(Uses.reading(p).andWriting(q), small, ran::incrementAndGet));
          bulk.push(Step.failing(Uses.NONE, Fault.value("at the end")));
        }
        assertNull(trial.context.await(p, null), "E7, F11");
        assertTrue(bad.isSameAs(trial.context.await(x, null)));
        assertTrue(bad.isSameAs(trial.context.await(y, null)));
        assertNull(trial.context.await(q, null));
        assertEquals(2, ran.get());
        assertEquals(1, bad.reach().skipped(), "F7");
        assertNull(trial.context.drain(null));
        assertEquals(2, trial.context.faults());
      }
    }
  }

  /** E7: and the workers are woken for a thread that waits, too. */
  @Test
  void noWorkerIsWokenForABulkBeforeItsEndOrAWait() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      Variable x = new Variable("x");
      AtomicInteger ran = new AtomicInteger();
      try (Bulk bulk = trial.context.bulk()) {
        bulk.push(Step.large(Uses.updating(x), ran::incrementAndGet));
        bulk.push(Step.large(Uses.updating(x), ran::incrementAndGet));
        assertEquals(List.of(), trial.threads());
        assertNull(trial.context.await(x, null), "E3");
        assertEquals(2, ran.get());
      }
    }
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      CountDownLatch both = new CountDownLatch(2);
      try (Bulk bulk = trial.context.bulk()) {
        bulk.push(Step.large(Uses.NONE, both::countDown));
        bulk.push(Step.large(Uses.NONE, both::countDown));
        assertEquals(List.of(), trial.threads());
      }
      Trial.await(both);
    }
  }

  /** E3: one thread waits for what another thread pushes in bulk. */
  @Test
  void aThreadThatWaitsWakesTheWorkersForTheBulkOfAnother() {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      Variable x = new Variable("x");
      try (Bulk bulk = trial.context.bulk()) {
        bulk.push(Step.large(Uses.writing(x), () -> {}));
        Thread other = Thread.ofPlatform().start(() -> trial.context.await(x, null));
        Trial.join(other);
        assertFalse(other.isAlive());
      }
    }
  }

  @Test
  void aSmallTaskWhoseTurnItIsRunsWhereItStands() {
    try (Trial trial = new Trial(EngineOptions.threaded(2))) {
      Thread[] ran = new Thread[2];
      Variable x = new Variable("x");
      trial.context.push(Step.small(Uses.updating(x), () -> ran[0] = Thread.currentThread()));
      assertSame(Thread.currentThread(), ran[0], "E5");
      trial.context.push(Step.large(Uses.updating(x), () -> ran[1] = Thread.currentThread()));
      trial.context.waitFor(x);
      assertNotEquals(Thread.currentThread(), ran[1]);
    }
  }

  /** E5: deferred tasks and tasks that run at once keep the order of pushing. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void smallAndLargeTasksKeepTheOrderOfPushing(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable x = new Variable("x");
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        int number = i;
        expected.add(i);
        trial.context.push(new Step(Uses.updating(x), i % 3 != 0, () -> order.add(number)));
      }
      trial.context.waitAll();
      assertEquals(expected, order);
    }
  }

  private static List<Integer> orderOf(long seed) {
    List<Integer> order = new ArrayList<>();
    try (Trial trial = new Trial(EngineOptions.seeded(seed, 3))) {
      Variable[] variables = {new Variable("a"), new Variable("b"), new Variable("c")};
      for (int i = 0; i < 30; i++) {
        int number = i;
        Uses uses = Uses.updating(variables[i % 3]).andReading(variables[(i / 3) % 3]);
        trial.context.push(Step.large(uses, () -> order.add(number)));
      }
      trial.context.waitAll();
    }
    return order;
  }

  @Test
  void aSeedReplaysItsInterleavingAndOthersDiffer() {
    Set<List<Integer>> orders = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      List<Integer> order = orderOf(seed);
      assertEquals(order, orderOf(seed), "E9: seed " + seed);
      orders.add(order);
    }
    assertTrue(orders.size() > 100, () -> orders.size() + " interleavings");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void anEngineServesVariablesThatAnotherOneUsesToo(EngineOptions options) {
    try (Trial one = new Trial(options);
        Trial two = new Trial(EngineOptions.threaded(2))) {
      Variable shared = new Variable("shared");
      int[] counter = new int[1];
      for (int i = 0; i < 200; i++) {
        EngineContext context = i % 2 == 0 ? one.context : two.context;
        context.push(Step.large(Uses.updating(shared), () -> counter[0]++));
      }
      if (options.mode() == EngineOptions.Mode.SEEDED) {
        one.context.waitFor(shared); // it leaves work for its own waiters, and for nobody else
      }
      two.context.waitFor(shared);
      assertEquals(200, counter[0]);
    }
  }
}
