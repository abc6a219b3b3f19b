package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An operation whose scope is closed under it has no result, and nothing is reported (F10). */
class ClosedUnderTest {
  /** The scope of the next operation, which the operation closes. */
  private final AtomicReference<ResourceScope> around = new AtomicReference<>();

  private Object closing(Object result) {
    around.get().close();
    return result;
  }

  private ResourceScope step(Context context) {
    around.set(context.scope().child("step"));
    return around.get();
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void whatAClosedScopeTookFromItsOperationsIsNoNews(EngineOptions engine) {
    EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog
                    .one("test::same(Tensor(a) x) -> Tensor(a)", call -> closing(call.tensor(0)))
                    .one("test::view(Tensor(a) x) -> Tensor(a)", call -> closing(call.tensor(0)))
                    .one(
                        "test::fresh(Tensor x) -> Tensor",
                        call -> {
                          around.get().close();
                          return call.allocate(DType.FLOAT32, Shape.of(4));
                        })
                    .many(
                        "test::pair(Tensor(a) x) -> (Tensor, Tensor(a))",
                        call -> {
                          around.get().close();
                          Object made = call.allocate(DType.FLOAT32, Shape.of(4));
                          return new Object[] {made, call.tensor(0)};
                        }));
    try (trial) {
      Context context = trial.context;
      Tensor x = context.ones(4);
      for (String operation : List.of("test::same", "test::view", "test::fresh")) {
        Tensor taken = context.within(step(context), () -> context.apply(operation, x));
        context.waitAll();
        Fault fault = Objects.requireNonNull(taken.fault(), operation);
        assertEquals(FaultType.CLOSED, fault.type(), operation);
      }
      for (Tensor taken :
          context.within(step(context), () -> context.applyMany("test::pair", 2, x))) {
        assertNotNull(taken.fault());
      }
      context.within(step(context), () -> context.applyMany("test::pair", 2, x));
      context.waitAll();
    }
    assertEquals(List.of(), List.copyOf(trial.unread));
  }
}
