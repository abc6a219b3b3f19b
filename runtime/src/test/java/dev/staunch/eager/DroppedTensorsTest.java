package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors that a program drops without closing them are reclaimed before a budget refuses (M5). */
@Timeout(60)
class DroppedTensorsTest {
  private static final int SIZE = 40_000;
  private static final int BUDGET = 1 << 20;

  static Stream<ToDoubleFunction<Context>> steps() {
    return Stream.of(
        context -> context.ones(SIZE).sum().item(),
        context -> context.zeros(SIZE).add(1).sum().item(),
        context -> context.of(Shape.of(SIZE), ones()).sum().item(),
        context -> context.tensor(ones()).neg().abs().sum().item());
  }

  private static float[] ones() {
    float[] values = new float[SIZE];
    Arrays.fill(values, 1);
    return values;
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aLoopThatDropsItsTensorsStaysWithinTheBudget(ToDoubleFunction<Context> step) {
    OffHeap memory = OffHeap.withBudget(BUDGET);
    try (Context context = Context.open(memory)) {
      long allocated = 0;
      for (int i = 0; allocated < 2 * BUDGET; i++) {
        assertEquals(SIZE, step.applyAsDouble(context), "step " + i);
        allocated += (long) SIZE * Float.BYTES;
      }
      assertEquals(0, context.faults());
    }
    assertEquals(0, memory.account().bytes());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void onWorkersOrAtOnce(long largeElements) {
    OffHeap memory = OffHeap.withBudget(BUDGET);
    ContextOptions options = ContextOptions.standard().withLargeElements(largeElements);
    try (Context context = Context.open(memory, options);
        Tensor kept = context.ones(SIZE)) {
      for (int i = 0; i < 2 * BUDGET / (SIZE * Float.BYTES); i++) {
        assertTrue(kept.mul(2).gt(1).all().itemBoolean(), "step " + i);
      }
    }
    assertEquals(0, memory.account().bytes());
  }
}
