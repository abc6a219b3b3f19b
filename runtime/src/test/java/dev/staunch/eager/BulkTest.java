package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations in bulk are handed to the workers together (E7), and are otherwise unchanged. */
class BulkTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";
  private static final int LARGE = 20_000;

  @ParameterizedTest
  @MethodSource(ENGINES)
  void eachOperationGivesItsResultAlsoInTheMiddle(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.ones(LARGE);
      Tensor y =
          trial.context.bulk(() -> {
            x.add_(1.0);
            Tensor twice = x.mul(2.0);
            assertEquals(4.0 * LARGE, twice.sum().item());
            x.add_(1.0);
            return twice.add(x);
          });
      assertEquals(7.0 * LARGE, y.sum().item());
    }
  }

  /** F2, F11. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultReachesWhatDependsOnItAndNothingElse(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      Tensor x = context.ones(LARGE);
      Tensor[] made =
          context.bulk(() -> {
            Tensor bad = x.add(context.ones(3));
            return new Tensor[] {x.mul(2.0), bad, bad.mul(2.0), x.mul(3.0)};
          });
      assertEquals(2.0 * LARGE, made[0].sum().item());
      assertEquals(3.0 * LARGE, made[3].sum().item());
      assertNotNull(made[1].fault());
      assertEquals(FaultType.SHAPE, Objects.requireNonNull(made[1].fault()).type());
      assertSame(made[1].fault(), made[2].fault());
      assertNull(x.fault());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatWasCalledBeforeTheWorkThrewIsDone(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.ones(LARGE);
      assertThrows(
          IllegalStateException.class,
          () ->
              trial.context.bulk(() -> {
                x.add_(1.0);
                throw new IllegalStateException("the user's own");
              }));
      trial.context.waitAll();
      assertEquals(2f, x.floats()[0]);
    }
  }
}
