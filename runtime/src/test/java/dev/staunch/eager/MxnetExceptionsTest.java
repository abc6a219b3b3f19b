package dev.staunch.eager;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.fault.StaunchException.ValueException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code tests/python/unittest/test_exc_handling.py}, each test under its name, on every
 * engine. Comments mark where Staunch is better on purpose.
 */
class MxnetExceptionsTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";
  private static final String MESSAGE = "`std` of normal must not be negative, but it is -1";

  private static void assertInvalid(Runnable read) {
    ValueException thrown = assertThrows(ValueException.class, read::run);
    assertEquals(MESSAGE, thrown.getMessage());
  }

  /** F1: the call throws nothing; reading its result does. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void excImperative(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor a = trial.context.normal(0, 1, 2, 2);
      Tensor b = trial.context.normal(0, -1, 2, 2);
      Tensor c = a.matmul(b);
      assertInvalid(c::floats);
      assertEquals(4, a.floats().length);
    }
  }

  private static Tensor forward(Context context, Tensor x) {
    Tensor noise = context.normal(0, -1, 2, 2);
    return x.matmul(x.add(noise));
  }

  /** The gradient of the sum of squares of {@code out}, written by hand. */
  private static Tensor backward(Tensor x, Tensor out) {
    return x.t().matmul(out.mul(2.0));
  }

  /**
   * A function of eager calls stands for a symbol, and its gradient for the symbol's: the output or
   * the gradient is read, or waited for together with everything else.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void excSymbolic(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      Tensor x = context.ones(2, 2);
      assertInvalid(forward(context, x)::value);
      forward(context, x);
      assertInvalid(context::waitAll);
      assertInvalid(backward(x, forward(context, x))::value);
      backward(x, forward(context, x));
      assertInvalid(context::waitAll);
      context.waitAll();
      assertArrayEquals(new float[] {1, 1, 1, 1}, x.floats());
      assertArrayEquals(new float[] {8, 8, 8, 8}, backward(x, x.matmul(x)).floats());
    }
  }

  /** A net of three layers on an input that fails. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void excGluon(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      for (boolean all : new boolean[] {false, true}) {
        Tensor out = context.normal(10, -10, 4, 8);
        for (int layer = 0; layer < 3; layer++) {
          out = out.matmul(context.full(0.5, 8, 8)).add(context.ones(8)).relu();
        }
        StaunchException thrown =
            assertThrows(StaunchException.class, all ? context::waitAll : out::value);
        assertEquals("`std` of normal must not be negative, but it is -10", thrown.getMessage());
        assertEquals(9, thrown.fault().reach().skipped(), "F7");
      }
    }
  }

  /** The second half of MXNet's test proves nothing, because it does not reset what it checks. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void excMultipleWaits(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      for (int i = 0; i < 2; i++) {
        assertInvalid(trial.invalid()::value);
      }
      for (int i = 0; i < 2; i++) {
        trial.invalid();
        assertInvalid(trial.context::waitAll);
      }
    }
  }

  /** Better than MXNet, which wants the second of the pair not to throw: each read throws (F3). */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void excPostFail(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor a = trial.invalid();
      Tensor b = a.mul(2.0);
      assertInvalid(a::value);
      assertInvalid(b::value);
      assertInvalid(a::value);
      Tensor c = trial.invalid();
      Tensor d = c.mul(2.0);
      assertInvalid(trial.context::waitAll);
      trial.context.waitAll();
      assertInvalid(c::value);
      assertInvalid(d::value);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void excMutableVarFail(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor a = trial.invalid();
      a = a.matmul(a);
      assertInvalid(a::value);
      Tensor b = trial.invalid();
      b.mul_(b);
      assertInvalid(trial.context::waitAll);
      assertInvalid(b::value);
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void multipleWaitalls(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      trial.invalid();
      assertInvalid(trial.context::waitAll);
      trial.context.waitAll();
    }
  }

  /** Whatever a kernel throws is a fault of its operation (F11). */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void opencvException(EngineOptions engine) {
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.one(
                    "test::resize(Tensor image, int interpolation) -> Tensor",
                    call -> {
                      throw new IllegalStateException("interpolation " + call.integer(1));
                    }))) {
      Tensor image = trial.context.ones(4, 4);
      Tensor resized = trial.context.apply("test::resize", image, -1L);
      StaunchException thrown = assertThrows(StaunchException.class, resized::value);
      assertEquals(FaultType.INTERNAL, thrown.fault().type());
      assertInstanceOf(IllegalStateException.class, thrown.fault().cause());
      assertEquals(16, image.sum().item());
    }
  }

  /** Here the error comes at the read, as all faults do; it names the line of the call. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void npReshapeException(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor a = trial.context.ones(10, 10);
      assertEquals(List.of(20L, 5L), sizes(a.reshape(20, 5)));
      Tensor bad = a.reshape(20, 3);
      StaunchException.ShapeException thrown =
          assertThrows(StaunchException.ShapeException.class, bad::value);
      assertEquals("MxnetExceptionsTest.java", thrown.fault().source().file());
      assertSame(thrown.fault(), bad.fault());
    }
  }

  private static List<Long> sizes(Tensor tensor) {
    return List.of(tensor.shape().size(0), tensor.shape().size(1));
  }

  /**
   * MXNet throws a TypeError at the call. Here the error comes at the read, as all faults do. Java
   * has no named arguments, so the fault identifies the wrong one by position and names its
   * parameter.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void npRandomIncorrectNamedArguments(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor wrong =
          trial.context.apply(
              "aten::normal.float_float",
              0.0,
              "size",
              List.of(2L, 2L),
              NONE,
              NONE,
              NONE,
              NONE,
              NONE);
      assertMentions("`std`", wrong);
      Tensor few = trial.context.apply("aten::normal.float_float", 0.0);
      assertMentions("`std` is missing", few);
      Tensor unknown = trial.context.apply("aten::normal.named", 0.0, 1.0);
      assertEquals(FaultType.UNKNOWN_OPERATION, unknown.fault().type());
    }
  }

  private static void assertMentions(String argument, Tensor failed) {
    String message = assertThrows(ValueException.class, failed::value).getMessage();
    assertTrue(message.contains(argument), message);
  }
}
