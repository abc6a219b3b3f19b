package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A fault that a task got elsewhere and passes on is a different fault, which is reported (F10);
 * the outcome of both does not depend on the schedule (F6).
 */
class HandedOnFaultTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  /** The fault that dependents of a failed task get. */
  private static Fault failed(EngineContext context, Variable variable) {
    Step dependent = Step.large(Uses.reading(variable), () -> {});
    context.push(Step.failing(Uses.writing(variable), Fault.value("root")));
    context.push(dependent);
    context.awaitPushed();
    return (Fault) Objects.requireNonNull(dependent.outcome);
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatIsHandedOnIsAnotherWhetherOrNotSomebodyHasReadTheFirst(EngineOptions options) {
    for (boolean read : new boolean[] {true, false}) {
      try (Trial trial = new Trial(options)) {
        EngineContext context = trial.context;
        Variable x = new Variable("x");
        Variable again = new Variable("again");
        Variable both = new Variable("both");
        Fault root = failed(context, x);
        if (read) {
          assertSame(root, context.await(x, null));
        }
        context.push(Step.failing(Uses.writing(again), root));
        context.push(Step.large(Uses.reading(again, x).andWriting(both), () -> {}));
        Fault found = Objects.requireNonNull(context.await(both, null));
        assertEquals(root.reach(), found.reach(), "the first leads");
        assertEquals(1, found.suppressed().size(), "read before: " + read);
        assertEquals(2, context.faults());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void whoHandsOnTheSameFollowEachOtherInProgramOrder(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext context = trial.context;
      Variable gate = new Variable("gate");
      CountDownLatch open = new CountDownLatch(1);
      Fault root = failed(context, new Variable("x"));
      Fault first = root.withOperation("first", List.of());
      Fault second = root.withOperation("second", List.of());
      context.push(Step.large(Uses.writing(gate), () -> Trial.await(open)));
      context.push(Step.failing(Uses.reading(gate), first));
      context.push(new Step(Uses.NONE, true, () -> second)); // runs at once, before the first
      open.countDown();
      Fault all = assertThrows(StaunchException.class, context::waitAll).fault();
      assertSame(root.reach(), all.reach());
      assertEquals(
          List.of("first", "second"), all.suppressed().stream().map(Fault::operation).toList());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void oneNewFaultInThePlaceOfTwoResultsIsOneObjectOfOneOrigin(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable first = new Variable("first");
      Variable second = new Variable("second");
      Fault fresh = Fault.value("both");
      trial.context.push(Step.failing(Uses.writing(first, second), new Object[] {fresh, fresh}));
      Fault left = Objects.requireNonNull(trial.context.await(second, null));
      assertNotNull(left.origin(), "F6: its place is known wherever it is met");
      assertSame(left, trial.context.await(first, null), "F2");
      assertEquals(1, trial.context.faults());
    }
  }

  /** Throwing a fault as its exception does not report it to anyone. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void faultsThatHooksThrowAsExceptionsAreToldIfNobodyReadsThem(EngineOptions options) {
    Trial trial = new Trial(options);
    try (trial) {
      trial.context.push(
          new Task(Uses.NONE) {
            @Override
            protected Fault incoming() {
              throw Fault.value("incoming").toException();
            }

            @Override
            protected Object run() {
              return DONE;
            }
          });
      trial.context.push(
          new Task(Uses.writing(new Variable("x"))) {
            @Override
            protected Object run() {
              return DONE;
            }

            @Override
            protected void settle(Object outcome) {
              throw Fault.value("settle").toException();
            }
          });
      trial.context.awaitPushed();
      assertEquals(2, trial.context.faults());
    }
    Stream<String> told = trial.unread.stream().map(Fault::message);
    assertEquals(List.of("incoming", "settle"), told.sorted().toList());
  }
}
