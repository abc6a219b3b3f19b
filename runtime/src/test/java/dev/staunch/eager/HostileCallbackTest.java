package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * User code that throws where a context calls it is reported at once, and nothing is lost (F11,
 * M4).
 */
class HostileCallbackTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";

  private static Object fail() {
    throw new IllegalStateException("the user's own");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAReaderThrowsIsThrownAndTheTensorStays(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.ones(2).add(1);
      StaunchException thrown =
          assertThrows(StaunchException.InternalException.class, () -> x.read(dense -> fail()));
      assertEquals("the user's own", thrown.getCause().getMessage());
      assertThrows(NullPointerException.class, () -> x.read(dense -> null));
      assertArrayEquals(new float[] {2, 2}, x.floats(), "F2");
      trial.context.waitAll();
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aMakerThatThrowsOrReturnsNothingLosesNoByte(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor failed = trial.context.make(scope -> fail());
      Fault fault = failed.fault();
      assertNotNull(fault);
      assertEquals(FaultType.INTERNAL, fault.type());
      assertThrows(
          IllegalArgumentException.class,
          () ->
              trial.context.make(scope -> {
                DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(8));
                return null;
              }));
      assertThrows(IllegalArgumentException.class, () -> trial.context.make(scope -> "text"));
    }
  }

  /** M4: at once, not when the scope closes. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAMakerMadeBeforeItFailedIsGivenBack(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      Tensor there = context.ones(100);
      context.waitAll();
      long held = context.bytes();
      Function<ResourceScope, Object> large =
          scope -> DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(1000));
      assertNotNull(context.make(large.andThen(made -> fail())).fault());
      assertEquals(held, context.bytes());
      Fault refused = Fault.value("refused");
      assertNotNull(context.make(large.andThen(made -> refused)).fault());
      assertEquals(held, context.bytes());
      Function<ResourceScope, Object> wrong = large.andThen(made -> "text");
      assertThrows(IllegalArgumentException.class, () -> context.make(wrong));
      assertEquals(held, context.bytes());
      Tensor good = context.make(large);
      assertEquals(held + 4000, context.bytes());
      assertEquals(1000, good.elements());
      assertEquals(1f, there.floats()[0]);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultThatAMakerThrowsAsAnExceptionIsToldIfNobodyReadsIt(EngineOptions engine) {
    EagerTrial trial = new EagerTrial(engine);
    try (trial) {
      Tensor invalid = trial.invalid();
      Tensor lost = trial.context.make(scope -> invalid.value());
      Tensor seen = trial.context.make(scope -> invalid.value());
      Fault again = seen.fault();
      assertNotNull(again);
      assertNotEquals(invalid.fault().origin(), again.origin(), "F6: it arose anew");
      assertTrue(lost.isSettled());
      assertEquals(3, trial.context.faults());
    }
    assertEquals(1, trial.unread.size(), "F10");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatABodyThrowsIsThrownWhenItsCallsAreThroughAndTheirMemoryIsBack(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      List<Tensor> made = new ArrayList<>();
      IllegalStateException thrown =
          assertThrows(
              IllegalStateException.class,
              () ->
                  context.using(
                      "request",
                      () -> {
                        made.add(context.ones(100).add(1).mul(2));
                        return fail();
                      }));
      assertEquals("the user's own", thrown.getMessage());
      assertEquals(0, context.bytes());
      assertThrows(StaunchException.ClosedException.class, made.getFirst()::floats);
      CancelScope scope = CancelScope.open();
      assertThrows(
          IllegalStateException.class, () -> context.within(scope, HostileCallbackTest::fail));
      assertEquals(3, context.ones(1).add(2).item(), "outside of both again");
    }
  }

  /** M1: an operation keeps the operands with which it was called. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anArrayOrListOfArgumentsMayBeUsedForSomethingElseAfterTheCall(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      CountDownLatch done = new CountDownLatch(1);
      Tensor x = context.ones(2);
      if (engine.mode() == EngineOptions.Mode.THREADED) {
        context.engineContext().push(new StuckWrite(x, done));
      }
      List<Object> parts = new ArrayList<>(Arrays.asList(x, x));
      Object[] arguments = {parts, 0L};
      Tensor joined = context.apply("aten::cat", arguments);
      arguments[0] = List.of();
      parts.clear();
      x.close();
      done.countDown();
      assertArrayEquals(new float[] {1, 1, 1, 1}, joined.floats());
      joined.close();
      assertEquals(0, context.bytes(), "M4");
    }
  }
}
