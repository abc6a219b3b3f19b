package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code tests/cpp/engine/threaded_engine_test.cc} and {@code engine_shutdown_test.cc},
 * each test under its name. {@link SerialEquivalenceTest} has {@code RandSumExpr} with more writes
 * and with faults.
 */
class MxnetEngineTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";
  private static final int OWN = 25;
  private static final int SHARED = 20;

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

  /** E1, E2: four threads push 10,000 random sums each over cells of their own and shared ones. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.SerialEquivalenceTest#engines")
  void randSumExpr(EngineOptions options) {
    long[][] expected = new long[4][];
    for (int thread = 0; thread < 4; thread++) {
      long[] cells = new long[OWN + SHARED];
      sums(thread, cells, (uses, work) -> work.run());
      expected[thread] = cells;
    }
    try (Trial trial = new Trial(options)) {
      Variable[] shared = variables(SHARED);
      List<Thread> pushers = new ArrayList<>();
      long[][] cells = new long[4][OWN + SHARED];
      for (int t = 0; t < 4; t++) {
        int thread = t;
        Variable[] all = Arrays.copyOf(variables(OWN), OWN + SHARED);
        System.arraycopy(shared, 0, all, OWN, SHARED);
        pushers.add(
            Thread.ofPlatform()
                .start(() ->
                    sums(
                        thread,
                        cells[thread],
                        (uses, work) -> {
                          Uses own =
                              Uses.reading(pick(all, uses[0])).andUpdating(pick(all, uses[1]));
                          trial.context.push(
                              uses[0].length % 2 == 0
                                  ? Step.large(own, work)
                                  : Step.small(own, work));
                        })));
      }
      pushers.forEach(Trial::join);
      trial.context.waitAll();
      assertArrayEquals(expected, cells);
    }
  }

  /** Takes {@code {reads, writes}} and the work on the cells. */
  private interface Sink {
    void accept(int[][] uses, Runnable work);
  }

  private static void sums(int thread, long[] cells, Sink sink) {
    Random random = new Random(thread);
    for (int i = 0; i < 10_000; i++) {
      int[] reads = random.ints(2 + random.nextInt(18), 0, OWN + SHARED).distinct().toArray();
      int[] writes = {random.nextInt(OWN)};
      sink.accept(
          new int[][] {reads, writes},
          () -> {
            long sum = cells[writes[0]] + 1;
            for (int read : reads) {
              sum = sum * 31 + cells[read];
            }
            cells[writes[0]] = sum;
          });
    }
  }

  private static Variable[] variables(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Variable()).toArray(Variable[]::new);
  }

  private static Variable[] pick(Variable[] all, int... which) {
    return IntStream.of(which).mapToObj(i -> all[i]).toArray(Variable[]::new);
  }

  /** Each way to split five variables into read and written ones; each task is settled once. */
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

  /** A task is pushed once; what pushes it again hears of it at once. */
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
   * basics: a wait for what nobody uses returns; one for a slow write waits; a reader is no write.
   */
  @ParameterizedTest
  @MethodSource(THREADED)
  void basicsWaitForVariable(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      trial.context.waitFor(new Variable("fresh"));
      CountDownLatch go = new CountDownLatch(1);
      Variable read = new Variable("read");
      Variable written = new Variable("written");
      boolean[] done = new boolean[1];
      trial.context.push(
          Step.large(
              Uses.reading(read).andUpdating(written),
              () -> {
                Trial.await(go);
                done[0] = true;
              }));
      trial.context.waitFor(read);
      assertEquals(1, go.getCount(), "the reader has not been waited for");
      go.countDown();
      trial.context.waitFor(written);
      assertTrue(done[0]);
    }
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

  /** What outlives its engine does no harm: to use it gives a fault that says so. */
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

  /** test_engine.test_bulk, as a segment of the engine: a chain gives 4, then 104. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void bulk(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable x = new Variable("x");
      int[] cell = {1};
      List<Step> chain = new ArrayList<>();
      chain.add(Step.large(Uses.updating(x), () -> cell[0] *= 2));
      chain.add(Step.large(Uses.updating(x), () -> cell[0] += 1));
      chain.add(Step.large(Uses.updating(x), () -> cell[0] += 1));
      trial.context.pushSegment(chain);
      trial.context.waitFor(x);
      assertEquals(4, cell[0]);
      trial.context.pushSegment(
          IntStream.range(0, 100)
              .mapToObj(i -> Step.large(Uses.updating(x), () -> cell[0] += 1))
              .toList());
      trial.context.waitFor(x);
      assertEquals(104, cell[0]);
      assertEquals(103, x.version());
    }
  }
}
