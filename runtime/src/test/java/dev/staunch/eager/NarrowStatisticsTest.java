package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Running statistics in 16 bits are updated by a computation in float32. */
class NarrowStatisticsTest {
  private static Tensor narrow(Context context, DType dtype, Shape shape, float... values) {
    return context.of(shape, values).to(dtype);
  }

  /** The updated statistics are PyTorch's. */
  @ParameterizedTest
  @CsvSource({"FLOAT16, true", "FLOAT16, false", "BFLOAT16, true", "BFLOAT16, false"})
  void batchNormMovesItsRunningStatisticsInTrainingOnly(DType dtype, boolean training) {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    ContextOptions serial = ContextOptions.standard().withEngine(EngineOptions.serial());
    try (Context context = Context.open(memory, serial)) {
      Tensor x = narrow(context, dtype, Shape.of(2, 3), 1, 2, 3, -4, 0.5f, 6);
      Tensor mean = narrow(context, dtype, Shape.of(3), -2, 0.25f, 1);
      Tensor variance = narrow(context, dtype, Shape.of(3), 1, 2, 3);
      Tensor weight = context.ones(dtype, 3);
      Tensor bias = context.zeros(dtype, 3);
      Tensor result =
          context.apply(
              "aten::batch_norm", x, weight, bias, mean, variance, training, 0.5, 1e-5, false);
      assertEquals(dtype, result.dtype());
      assertArrayEquals(
          training ? new double[] {-1.75, 0.75, 2.75} : new double[] {-2, 0.25, 1}, mean.doubles());
      assertArrayEquals(
          training ? new double[] {6.75, 1.5625, 3.75} : new double[] {1, 2, 3},
          variance.doubles());
    }
    assertEquals(0, memory.account().bytes());
  }
}
