package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code tests/cpp/engine/threaded_engine_test.cc} and {@code engine_shutdown_test.cc},
 * each test under its name. {@link MxnetRandomSumsTest} has {@code RandSumExpr}.
 */
class MxnetEngineTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";

  /** E8: each kind of engine ends, and another starts. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void startStop(EngineOptions options) {
    for (int i = 0; i < 3; i++) {
      try (Trial trial = new Trial(options)) {
        Step step = Step.large(Uses.NONE, () -> {});
        trial.context.push(step);
        trial.context.waitAll();
        assertSame(Task.DONE, step.outcome);
      }
    }
  }

  private static Variable[] variables(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Variable()).toArray(Variable[]::new);
  }

  /**
   * Each way to split five variables into read and written ones; each task is settled once, as
   * MXNet's deleter is called once. The rest of that test cannot be written here: a task is over
   * when it returns, so nothing completes it from elsewhere; and no count of variables is given
   * that could be negative.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void pushFunc(EngineOptions options) {
    for (boolean small : new boolean[] {false, true}) {
      try (Trial trial = new Trial(options)) {
        Variable[] all = variables(5);
        AtomicInteger ran = new AtomicInteger();
        List<Step> steps = new ArrayList<>();
        for (int read = 0; read <= 5; read++) {
          for (int written = 0; written <= 5; written++) {
            Uses uses =
                Uses.reading(Arrays.copyOf(all, read))
                    .andWriting(Arrays.copyOfRange(all, 5 - written, 5));
            steps.add(new Step(uses, small, ran::incrementAndGet));
          }
        }
        steps.forEach(trial.context::push);
        trial.context.waitAll();
        assertEquals(36, ran.get());
        steps.forEach(step -> assertTrue(step.outcome instanceof Integer));
        assertEquals(6 + 6 + 6 + 6 + 6, all[4].version(), "written by 30 of 36");
      }
    }
  }

  /** A task is pushed once; pushing it again is refused at once. */
  @Test
  void pushFuncTwiceIsRefused() {
    try (Trial trial = new Trial(EngineOptions.serial())) {
      Step step = Step.large(Uses.NONE, () -> {});
      trial.context.push(step);
      assertThrows(IllegalStateException.class, () -> trial.context.push(step));
    }
  }

  /** basics: ten reads of one version run at once. */
  @Test
  void basicsTenReadersAtOnce() {
    try (Trial trial = new Trial(EngineOptions.threaded(10))) {
      Variable x = new Variable("x");
      CountDownLatch all = new CountDownLatch(10);
      for (int i = 0; i < 10; i++) {
        trial.context.push(
            Step.large(
                Uses.reading(x),
                () -> {
                  all.countDown();
                  Trial.await(all);
                }));
      }
      trial.context.waitAll();
      assertEquals(0, x.version());
    }
  }

  /** basics: ten writes, one after the other, in their order. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void basicsTenWritersInTheirOrder(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable x = new Variable("x");
      AtomicInteger atOnce = new AtomicInteger();
      List<Integer> order = new ArrayList<>(); // the variable guards it
      for (int i = 0; i < 10; i++) {
        int number = i;
        trial.context.push(
            Step.large(
                Uses.updating(x),
                () -> {
                  assertEquals(1, atOnce.incrementAndGet());
                  order.add(number);
                  atOnce.decrementAndGet();
                }));
      }
      trial.context.waitFor(x);
      assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), order);
    }
  }

  /**
   * basics: a wait for an unused variable returns; one for a slow write waits; a reader is not a
   * write.
   */
  @ParameterizedTest
  @MethodSource(THREADED)
  void basicsWaitForVariable(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      trial.context.waitFor(new Variable("fresh"));
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Variable read = new Variable("read");
      Variable written = new Variable("written");
      boolean[] done = new boolean[1];
      trial.context.push(
          Step.large(
              Uses.reading(read).andUpdating(written),
              () -> {
                begun.countDown();
                Trial.await(go);
                done[0] = true;
              }));
      Trial.await(begun); // so that no waiter runs the write itself
      trial.context.waitFor(read);
      assertEquals(1, go.getCount(), "the reader has not been waited for");
      boolean[] seen = new boolean[1];
      Thread waiter =
          Thread.ofPlatform()
              .start(() -> {
                trial.context.waitFor(written);
                seen[0] = done[0];
              });
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        assertTrue(waiter.isAlive(), "it does not wait for the write");
        Thread.onSpinWait();
      }
      go.countDown();
      Trial.join(waiter);
      assertTrue(seen[0]);
    }
  }

  /**
   * basics: DeleteVariable and DeleteOperator after use. Better than MXNet, nothing is deleted: the
   * engine keeps nothing of a finished task, nor of what it used.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void betterThanSpecNothingIsDeleted(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      List<WeakReference<?>> used = used(trial.context);
      trial.context.waitAll();
      while (used.stream().anyMatch(reference -> reference.get() != null)) {
        System.gc();
        Thread.onSpinWait();
      }
    }
  }

  /** A variable with a writer, a reader and a last task that uses it. */
  private static List<WeakReference<?>> used(EngineContext context) {
    Variable x = new Variable("x");
    Step write = Step.large(Uses.writing(x), () -> {});
    Step read = Step.large(Uses.reading(x), () -> {});
    Step update = Step.small(Uses.updating(x), () -> {});
    List.of(write, read, update).forEach(context::push);
    return List.of(
        new WeakReference<>(x),
        new WeakReference<>(write),
        new WeakReference<>(read),
        new WeakReference<>(update));
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void varVersion(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable x = new Variable("x");
      for (int i = 0; i < 10; i++) {
        trial.context.push(Step.large(Uses.reading(x), () -> {}));
      }
      trial.context.waitAll();
      assertEquals(0, x.version());
      for (int i = 0; i < 10; i++) {
        trial.context.push(Step.large(Uses.writing(x), () -> {}));
      }
      trial.context.waitFor(x);
      assertEquals(10, x.version());
    }
  }

  /** What outlives its engine does no harm: using it gives a fault that says so. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void stopWithoutCrashing(EngineOptions options) {
    Variable survivor = new Variable("survivor");
    EngineContext context;
    try (Trial trial = new Trial(options)) {
      context = trial.context;
      context.push(Step.large(Uses.writing(survivor), () -> {}));
    }
    assertEquals(1, survivor.version());
    Fault fault = context.await(survivor, null);
    assertEquals(FaultType.CANCELLED, fault.type());
    assertEquals("the engine was closed", fault.message());
    assertNull(survivor.fault());
  }

  /** test_engine.test_bulk, in bulk: a chain results in 4, then 104. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void bulk(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable x = new Variable("x");
      int[] cell = {1};
      try (Bulk bulk = trial.context.bulk()) {
        bulk.push(Step.large(Uses.updating(x), () -> cell[0] *= 2));
        bulk.push(Step.large(Uses.updating(x), () -> cell[0] += 1));
        bulk.push(Step.large(Uses.updating(x), () -> cell[0] += 1));
      }
      trial.context.waitFor(x);
      assertEquals(4, cell[0]);
      try (Bulk bulk = trial.context.bulk()) {
        for (int i = 0; i < 100; i++) {
          bulk.push(Step.large(Uses.updating(x), () -> cell[0] += 1));
        }
      }
      trial.context.waitFor(x);
      assertEquals(104, cell[0]);
      assertEquals(103, x.version());
    }
  }
}
