package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fault is a value that stays where it is and reaches its dependents only (F1 to F5). */
class StickyFaultTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  @ParameterizedTest
  @MethodSource(ENGINES)
  void pushingWhatFailsThrowsNothing(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      Fault fault = trial.fail(variable, "first");
      assertTrue(fault.isSameAs(trial.context.await(variable, null)), "F1");
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void everyReadOnEveryThreadThrowsTheSameFault(EngineOptions options) throws InterruptedException {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      Fault fault = trial.fail(variable, "first");
      AtomicInteger thrown = new AtomicInteger();
      Runnable reads =
          () -> {
            for (int i = 0; i < 100; i++) {
              StaunchException e =
                  assertThrows(
                      StaunchException.ValueException.class, () -> trial.context.waitFor(variable));
              thrown.addAndGet(e.fault().isSameAs(fault) ? 1 : 0);
            }
          };
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(
            i % 2 == 0 ? Thread.ofVirtual().start(reads) : Thread.ofPlatform().start(reads));
      }
      for (Thread reader : readers) {
        reader.join();
      }
      assertEquals(400, thrown.get(), "F3");
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void dependentsHoldTheSameFaultAndSiblingsAreUntouched(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable bad = new Variable("bad");
      Variable good = new Variable("good");
      Variable worse = new Variable("worse");
      Variable fine = new Variable("fine");
      AtomicInteger ran = new AtomicInteger();
      Fault fault = trial.fail(bad, "first");
      trial.context.push(Step.large(Uses.writing(good), ran::incrementAndGet));
      trial.context.push(
          Step.large(Uses.reading(bad, good).andWriting(worse), () -> ran.addAndGet(100)));
      trial.context.push(Step.large(Uses.reading(good).andWriting(fine), ran::incrementAndGet));
      assertTrue(fault.isSameAs(trial.context.await(worse, null)), "F2");
      assertNull(trial.context.await(fine, null));
      assertNull(trial.context.await(good, null));
      assertEquals(2, ran.get());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFullOverwriteHealsAndAnUpdateDoesNot(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      AtomicInteger ran = new AtomicInteger();
      Fault fault = trial.fail(variable, "first");
      trial.context.push(Step.large(Uses.updating(variable), ran::incrementAndGet));
      assertTrue(fault.isSameAs(trial.context.await(variable, null)));
      assertEquals(0, ran.get());
      trial.context.push(Step.large(Uses.writing(variable), ran::incrementAndGet));
      assertNull(trial.context.await(variable, null), "F4");
      trial.context.push(Step.small(Uses.updating(variable), ran::incrementAndGet));
      assertNull(trial.context.await(variable, null));
      assertEquals(2, ran.get());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void anOverwriteThatFailsLeavesItsOwnFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      trial.fail(variable, "first");
      Fault second = trial.fail(variable, "second");
      assertTrue(second.isSameAs(trial.context.await(variable, null)));
      assertThrows(StaunchException.ValueException.class, trial.context::waitAll);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAnOperationProducedIsGoodThoughTheRestFailed(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable[] parts = {new Variable("a"), new Variable("b"), new Variable("c")};
      Fault b = Fault.index("b is missing");
      Fault c = Fault.shape("c does not fit");
      trial.context.push(Step.failing(Uses.writing(parts), new Object[] {1, b, c}));
      assertNull(trial.context.await(parts[0], null), "F5");
      assertTrue(b.isSameAs(trial.context.await(parts[1], null)));
      assertTrue(c.isSameAs(trial.context.await(parts[2], null)));
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void partsThatFailAreInTheirOrder(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable[] parts = {new Variable("a"), new Variable("b")};
      trial.context.push(
          Step.failing(
              Uses.writing(parts), new Object[] {Fault.value("part a"), Fault.value("part b")}));
      StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("part a", thrown.getMessage(), "F6");
      assertEquals("part b", thrown.getSuppressed()[0].getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void orderingBySharedStateSpreadsNoFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable shared = new Variable("random numbers");
      Variable bad = new Variable("bad");
      Variable good = new Variable("good");
      Fault fault = Fault.value("no such distribution");
      trial.context.push(Step.failing(Uses.writing(bad).andOrdering(shared), fault));
      trial.context.push(Step.large(Uses.writing(good).andOrdering(shared), () -> {}));
      assertNull(trial.context.await(good, null), "F2");
      assertTrue(fault.isSameAs(trial.context.await(bad, null)));
    }
  }
}
