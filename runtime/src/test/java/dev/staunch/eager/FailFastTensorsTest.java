package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** However a call fails in a fail-fast scope, later calls are cancelled (C6). */
class FailFastTensorsTest {
  record Case(String name, Function<Context, Tensor> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> failures() {
    Stream<Case> cases =
        Stream.of(
            new Case("operation", in -> in.ones(2).add(in.ones(3))),
            new Case("view", in -> in.ones(2).reshape(3)),
            new Case("random numbers", in -> in.normal(0, -1, 2)),
            new Case("memory", in -> in.zeros(1 << 25)),
            new Case("write in place", in -> in.ones(2).add_(in.ones(3))),
            new Case("wrong argument", in -> in.apply("aten::relu", "text")),
            new Case("wrong argument of a write", in -> in.apply("aten::relu_", in.ones(1), 1L)),
            new Case("unknown operation", in -> in.apply("aten::no_such")),
            new Case("ragged array", in -> in.tensor(new float[][] {{1}, {1, 2}})),
            new Case("too few values", in -> in.of(Shape.of(3), 1f)),
            new Case("missing file", in -> in.load(Path.of("no", "such", "file.npy"))));
    return cases.flatMap(
        failure -> EagerTrial.engines().map(engine -> Arguments.of(failure, engine)));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void theCallsAfterAFailureAreCancelledIfItsScopeIsFailFast(Case failure, EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      CancelScope request = CancelScope.open();
      Tensor x = context.ones(2);
      CancelScope failFast = request.failFast();
      Fault failed = failIn(context, failFast, failure);
      Fault sibling = context.within(failFast, () -> x.add(1)).fault();
      assertNotNull(sibling);
      assertEquals(CancelReason.SIBLING_FAILED, sibling.reason());
      assertTrue(sibling.suppressed().getFirst().isSameAs(failed), "it says which");
      CancelScope drain = request.child();
      failIn(context, drain, failure);
      assertNull(context.within(drain, () -> x.add(1)).fault(), "the others are left alone");
    }
  }

  private static Fault failIn(Context context, CancelScope scope, Case failure) {
    Fault fault = context.within(scope, () -> failure.call().apply(context)).fault();
    assertNotNull(fault);
    assertNull(fault.reason(), fault::toString);
    return fault;
  }
}
