package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.fault.StaunchException.ValueException;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code custom_op_exc} of {@code tests/python/unittest/test_operator.py}: a user's
 * function that runs as an operation, on a worker, and itself calls operations. One worker is
 * enough (E3).
 */
class MxnetUserFunctionsTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";

  /** Calls {@code body} as an operation whose result is read as a tensor. */
  private static StaunchException failure(
      EngineOptions engine, BiFunction<Context, Call, Object> body) {
    AtomicReference<Context> home = new AtomicReference<>();
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.one(
                    "test::custom(Tensor(a) x) -> Tensor(a)",
                    call -> body.apply(home.get(), call)))) {
      home.set(trial.context);
      Tensor x = trial.context.ones(2, 2);
      Tensor result = trial.context.apply("test::custom", x);
      Tensor after = result.add(x);
      StaunchException thrown = assertThrows(StaunchException.class, after::value);
      assertThrows(StaunchException.class, result::value, "F3");
      assertArrayEquals(new float[] {1, 1, 1, 1}, x.floats(), "F2");
      assertArrayEquals(new float[] {2, 2, 2, 2}, x.add(x).floats(), "the worker lives");
      return thrown;
    }
  }

  /** It is small, so it runs where it was called; the write that it waits for waits for it (E3). */
  @ParameterizedTest
  @MethodSource(ENGINES)
  @Timeout(20)
  void aWaitForItselfIsAFaultThatNamesIt(EngineOptions engine) {
    AtomicReference<Tensor> operand = new AtomicReference<>();
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .one("test::custom(Tensor x) -> Tensor", call -> operand.get().add_(1).value())
            .build();
    ContextOptions options = ContextOptions.standard().withEngine(engine).withCatalog(catalog);
    try (Context context = Context.open(OffHeap.withBudget(1 << 20), options)) {
      operand.set(context.ones(2));
      Tensor result = context.apply("test::custom", operand.get());
      StaunchException thrown = assertThrows(StaunchException.class, result::value);
      assertTrue(thrown.getMessage().contains("cycle"), thrown.getMessage());
      assertArrayEquals(new float[] {3, 3}, operand.get().add(1).floats(), "F2");
    }
  }

  /** 1: the user's own code throws. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anErrorInTheUsersCode(EngineOptions engine) {
    StaunchException thrown =
        failure(
            engine,
            (context, call) -> {
              throw new IllegalArgumentException("the user's own");
            });
    assertEquals("the user's own", thrown.fault().cause().getMessage());
  }

  /**
   * 2: the shapes of an inner operation do not fit. In MXNet pushing it throws; here pushing never
   * does, so the function has to read the result for the error to be its own.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anErrorInPushingAnInnerOperation(EngineOptions engine) {
    StaunchException thrown =
        failure(engine, (context, call) -> context.zeros(2, 3).matmul(context.zeros(2, 3)).value());
    assertEquals(FaultType.SHAPE, thrown.fault().type());
    assertEquals("aten::matmul", thrown.fault().operation());
  }

  /** 3: an inner operation fails, and the function waits for it. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anErrorInAnInnerOperationWithAnInnerWait(EngineOptions engine) {
    StaunchException thrown =
        failure(engine, (context, call) -> context.normal(0, -1, 2, 2).value());
    assertEquals("`std` of normal must not be negative, but it is -1", thrown.getMessage());
  }

  /**
   * 4: an inner operation fails, and the function does not wait for it. In MXNet the wait for the
   * outer result throws. Here that result is good, because it used nothing of what failed (F2); the
   * fault is reported by the next wait for all, and to anyone who reads the failed tensor. (A wait
   * for all covers what was called before it, so the outer result is waited for first.)
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void betterThanSpecAnErrorInAnInnerOperationWithoutAnInnerWaitIsOnlyItsOwn(EngineOptions engine) {
    AtomicReference<Context> home = new AtomicReference<>();
    AtomicReference<Tensor> inner = new AtomicReference<>();
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.one(
                    "test::custom(Tensor(a) x) -> Tensor(a)",
                    call -> {
                      inner.set(home.get().normal(0, -1, 2, 2));
                      return call.tensor(0);
                    }))) {
      home.set(trial.context);
      Tensor result = trial.context.apply("test::custom", trial.context.ones(2, 2));
      assertArrayEquals(new float[] {1, 1, 1, 1}, result.floats());
      assertInvalid(trial.context::waitAll);
      assertInvalid(inner.get()::value);
      assertArrayEquals(new float[] {1, 1, 1, 1}, result.floats());
      assertArrayEquals(new float[] {2, 2, 2, 2}, result.add(1.0).floats());
      trial.context.waitAll();
    }
  }

  private static void assertInvalid(Executable read) {
    ValueException thrown = assertThrows(ValueException.class, read);
    assertEquals("`std` of normal must not be negative, but it is -1", thrown.getMessage());
  }

  /** A user's function that succeeds, with waits inside. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aUsersFunctionMayWaitForWhatItCalls(EngineOptions engine) {
    AtomicReference<Context> home = new AtomicReference<>();
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.one(
                    "test::total() -> float", call -> home.get().ones(3).add(1.0).sum().item()))) {
      home.set(trial.context);
      assertEquals(6.0, trial.context.applyValue("test::total"));
    }
  }

  /** test_engine.test_bulk: a chain in place, read in the middle and at its end. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void bulk(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.ones(10);
      x.mul_(2.0);
      x.add_(1.0);
      x.value();
      x.add_(1.0);
      assertArrayEquals(filled(4), x.floats());
      for (int i = 0; i < 100; i++) {
        x.add_(1.0);
      }
      assertArrayEquals(filled(104), x.floats());
    }
  }

  private static float[] filled(float value) {
    float[] all = new float[10];
    Arrays.fill(all, value);
    return all;
  }
}
