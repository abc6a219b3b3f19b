package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Report;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a task throws is a fault, and the worker that ran it lives (F11). */
class ThrowableTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message today");
    }
  }

  private static Object fallFor(int depth) {
    return depth < 0 ? Task.DONE : List.of(fallFor(depth + 1));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> Object sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private static Stream<Supplier<Object>> throwers() {
    return Stream.of(
        () -> ThrowableTest.<RuntimeException>sneak(new OutOfMemoryError("no heap")),
        () -> fallFor(0),
        () -> ThrowableTest.<RuntimeException>sneak(new AssertionError("broken")),
        () -> ThrowableTest.<RuntimeException>sneak(new NoClassDefFoundError("Gone")),
        () -> ThrowableTest.<RuntimeException>sneak(new IOException("checked")),
        () -> ThrowableTest.<RuntimeException>sneak(new InterruptedException("interrupted")),
        () -> ThrowableTest.<RuntimeException>sneak(new Throwable("bare")),
        () -> ThrowableTest.<RuntimeException>sneak(new Hostile()),
        () -> {
          throw new IllegalArgumentException();
        });
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void everyThrowableIsAFaultAndTheNextTaskRuns(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      throwers()
          .forEach(thrower -> {
            Variable bad = new Variable("bad");
            Variable good = new Variable("good");
            trial.context.push(new Step(Uses.writing(bad), false, thrower));
            trial.context.push(new Step(Uses.writing(bad), true, thrower));
            trial.context.push(Step.large(Uses.writing(good), () -> {}));
            Fault fault = trial.context.await(bad, null);
            assertNotNull(fault);
            assertNotNull(fault.cause());
            assertTrue(Report.of(fault).contains("threw"), "F11");
            assertTrue(Report.of(fault).contains("step") || fault.type() != FaultType.INTERNAL);
            assertNull(trial.context.await(good, null));
          });
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void runningOutOfHeapIsATypedFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable bad = new Variable("bad");
      trial.context.push(
          Step.large(
              Uses.writing(bad),
              () -> {
                throw new OutOfMemoryError("Java heap space");
              }));
      StaunchException thrown =
          assertThrows(
              StaunchException.OutOfMemoryException.class, () -> trial.context.waitFor(bad));
      assertInstanceOf(OutOfMemoryError.class, thrown.getCause());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aHookThatThrowsSettlesTheTaskNevertheless(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable settling = new Variable("settling");
      Variable incoming = new Variable("incoming");
      trial.context.push(
          new Task(Uses.writing(settling)) {
            @Override
            protected Object run() {
              return DONE;
            }

            @Override
            protected void settle(Object outcome) {
              throw new IllegalStateException("from settle");
            }
          });
      trial.context.push(
          new Task(Uses.writing(incoming)) {
            @Override
            protected Object run() {
              return DONE;
            }

            @Override
            protected Fault incoming() {
              throw new IllegalStateException("from incoming");
            }
          });
      assertEquals(FaultType.INTERNAL, trial.context.await(settling, null).type());
      assertEquals(FaultType.INTERNAL, trial.context.await(incoming, null).type());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#threaded")
  void anInterruptThatATaskLeavesBehindDoesNotMeetTheNext(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      boolean[] interrupted = new boolean[1];
      trial.context.push(
          Step.large(Uses.writing(variable), () -> Thread.currentThread().interrupt()));
      trial.context.push(
          Step.large(
              Uses.updating(variable),
              () -> interrupted[0] = Thread.currentThread().isInterrupted()));
      assertNull(trial.context.await(variable, null));
      assertEquals(false, interrupted[0]);
    }
  }

  /** E6: just as a worker's task does not see it. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#turns")
  void anInterruptOfTheCallerDoesNotMeetItsTasksAndIsThereAfterwards(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      List<Boolean> seen = new ArrayList<>();
      Thread.currentThread().interrupt();
      for (int i = 0; i < 20; i++) {
        trial.context.push(
            Step.large(Uses.updating(variable), () -> seen.add(Thread.interrupted())));
      }
      assertTrue(Thread.interrupted(), "it is the caller's");
      assertNull(trial.context.await(variable, null));
      assertEquals(Collections.nCopies(20, false), seen);
      assertFalse(Thread.interrupted(), "the tasks leave the flag alone");
    }
  }

  /** E4: a thread that runs a task does not lose an interrupt that arrives meanwhile. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#turns")
  void anInterruptThatComesWhileATaskRunsIsTheCallers(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Thread caller = Thread.currentThread();
      for (int i = 0; i < 20; i++) {
        Variable variable = new Variable("x");
        trial.context.push(
            Step.large(
                Uses.writing(variable),
                () -> {
                  Thread other = Thread.ofPlatform().start(caller::interrupt);
                  while (other.isAlive()) {
                    Thread.onSpinWait();
                  }
                }));
        trial.context.drain(null);
        assertTrue(Thread.interrupted());
        trial.context.drain(null);
      }
    }
  }
}
