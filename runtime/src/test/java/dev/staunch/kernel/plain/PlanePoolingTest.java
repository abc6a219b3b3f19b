package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.kernel.KernelBench;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlanePoolingTest {
  private static final int WIDTH = 2000;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(20261123);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private float[] maxima(Object input, long kernel, long stride) {
    Object result =
        new KernelBench(scope)
            .run(
                "aten::max_pool1d",
                input,
                List.of(kernel),
                List.of(stride),
                List.of(0L),
                List.of(1L),
                false);
    return HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result));
  }

  @Test
  void longRowsHaveTheirMaximaWhateverTheStride() {
    float[] all = new float[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      all[i] = i % 97 == 96 ? Float.NaN : (float) random.nextGaussian();
    }
    Object input = HostTensors.floats(scope, Shape.of(1, 1, WIDTH), all);
    for (int stride : new int[] {1, 2, 7, 255, 256, 400}) {
      float[] given = maxima(input, 3, stride);
      assertEquals((WIDTH - 3) / stride + 1, given.length);
      for (int i = 0; i < given.length; i++) {
        int at = i * stride;
        float most = Math.max(Math.max(all[at], all[at + 1]), all[at + 2]);
        assertEquals(most, given[i], stride + " apart, " + i);
      }
    }
  }

  @Test
  void partsOfManyElementsBeginWhereTheyShould() {
    int width = 80_000; // times as many parts exceeds an int
    float[] all = new float[width];
    for (int i = 0; i < width; i++) {
      all[i] = i;
    }
    Object input = HostTensors.floats(scope, Shape.of(1, 1, width), all);
    Object result =
        new KernelBench(scope).run("aten::adaptive_avg_pool1d", input, List.of(width / 2L));
    float[] given = HostTensors.toFloats(assertInstanceOf(DenseTensor.class, result));
    assertEquals(width / 2, given.length);
    for (int i = 0; i < given.length; i++) {
      assertEquals(2 * i + 0.5f, given[i], "part " + i);
    }
  }
}
