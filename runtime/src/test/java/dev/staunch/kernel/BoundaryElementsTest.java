package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.eager.Context;
import dev.staunch.memory.OffHeap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elements on a bound, or next to a pole. */
class BoundaryElementsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 16);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private float[] result(String operation, float element, Object... more) {
    Object[] arguments = new Object[more.length + 1];
    arguments[0] = context.tensor(new float[] {element, -element});
    System.arraycopy(more, 0, arguments, 1, more.length);
    return context.apply(operation, arguments).floats();
  }

  @Test
  void aBoundIsRoundedToTheDtypeOfTheElements() {
    assertArrayEquals(new float[] {20, 20}, result("threshold", 0.1f, 0.1, 20.0));
    assertArrayEquals(new float[] {0, 0}, result("hardshrink", 0.1f, 0.1));
    assertArrayEquals(new float[] {0, -0f}, result("softshrink", 0.1f, 0.1));
    assertArrayEquals(new float[] {20, 20}, result("threshold", 0.7f, 0.7, 20.0));
  }

  @Test
  void thePoleOfDigammaHasTwoSides() {
    float[] found = result("digamma", 1e-30f);
    assertArrayEquals(new float[] {-1e30f, 1e30f}, found, 1e24f);
    assertArrayEquals(
        new float[] {Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY},
        result("digamma", Float.MIN_VALUE));
  }
}
