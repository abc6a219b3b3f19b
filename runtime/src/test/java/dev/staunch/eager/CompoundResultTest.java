package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.operation.None;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sparse tensor cannot be the result of a handle: it is refused, and nothing of it stays (M4).
 */
class CompoundResultTest {
  private static final Object NONE = None.NONE;

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void whatARefusedResultIsMadeOfIsGivenBack(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor dense = trial.context.ones(2);
      trial.context.waitAll();
      long before = trial.memory.account().bytes();
      Tensor sparse = trial.context.apply("aten::to_sparse", dense, NONE, NONE, NONE);
      assertEquals(FaultType.VALUE, Objects.requireNonNull(sparse.fault()).type());
      assertThrows(
          StaunchException.ValueException.class,
          () -> trial.context.applyValue("aten::to_sparse", dense, NONE, NONE, NONE));
      assertEquals(before, trial.memory.account().bytes());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void operandsOfARefusedResultStayOpen(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor indices = trial.context.tensor(new long[][] {{0, 2}});
      Tensor values = trial.context.ones(2);
      Tensor sparse =
          trial.context.apply(
              "aten::sparse_coo_tensor.indices", indices, values, NONE, NONE, NONE, NONE, NONE);
      assertEquals(FaultType.VALUE, Objects.requireNonNull(sparse.fault()).type());
      assertFalse(values.isClosed());
      assertEquals(2, values.sum().item());
      assertEquals(2, indices.sum().item());
    }
  }
}
