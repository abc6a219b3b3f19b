package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.SmallStack;
import dev.staunch.kernel.Sample;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.HostTensors;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A caller that recurses endlessly costs no tensor, no byte and no other caller (F11, M4). Each
 * test recurses once by default, and once more on the same engine in the profile "whole".
 */
@Timeout(60)
class DeepStackTensorsTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";
  private static final int ROUNDS = Sample.whole() ? 2 : 1;

  private static void overflow(EagerTrial trial, Consumer<Tensor> turn)
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Tensor shared = trial.context.ones(4);
      SmallStack.overflow(depth -> {
        turn.accept(shared);
        trial.unread.clear(); // each of them holds the whole stack
      });
      shared.fill_(2.0);
      CancelScope soon = CancelScope.withDeadline(Duration.ofSeconds(10));
      assertEquals(8.0, shared.sum().read(sum -> HostTensors.toDoubles(sum)[0], soon));
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatIsWrittenInPlaceServesOthers(EngineOptions engine) throws InterruptedException {
    try (EagerTrial trial = new EagerTrial(engine.withNoteSources(false))) {
      overflow(
          trial,
          shared -> {
            shared.add_(1.0);
            shared.mul(2.0).close();
          });
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void viewsScopesAndFailuresGiveEveryByteBack(EngineOptions engine) throws InterruptedException {
    try (EagerTrial trial = new EagerTrial(engine.withNoteSources(false))) {
      Context context = trial.context;
      overflow(
          trial,
          shared -> {
            try (ResourceScope scope = ResourceScope.open(trial.memory, "turn")) {
              context.within(scope, () -> shared.reshape(2, 2).add(context.ones(3)));
            }
            context.using("turn", () -> shared.reshape(2, 2).add(1.0)).close();
          });
    }
  }
}
