package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evenly spaced float32 elements are read alike, however many are read at once. */
class CloseElementsTest {
  private static final int ELEMENTS = 1000;
  private static final int FIRST = 3;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7})
  void elementsOfAnyDistance(int step) {
    float[] all = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      all[i] = i;
    }
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "test")) {
      Operand operand =
          Operand.of((DenseTensor) HostTensors.floats(scope, Shape.of(ELEMENTS), all));
      int most = step == 0 ? ELEMENTS : (ELEMENTS - FIRST - 1) / step + 1; // up to the last one
      for (int count : new int[] {0, 1, 63, 64, 65, 127, 128, 129, most}) {
        float[] expected = new float[ELEMENTS];
        for (int i = 0; i < Math.min(count, most); i++) {
          expected[i] = all[FIRST + i * step];
        }
        float[] found = new float[ELEMENTS];
        operand.load(found, FIRST, step, Math.min(count, most));
        assertArrayEquals(expected, found, step + " apart, " + count + " of them");
      }
    }
  }
}
