package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Windows as large as an image that is stored channels last. */
class PixelPoolingTest {
  private static final int SIDE = 512;

  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  private DenseTensor filled(Layout layout, double value) {
    DenseTensor tensor =
        (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, layout, new Looks(scope));
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.set(tensor, i, value);
    }
    return tensor;
  }

  private int looks(Pooling.Rule rule) {
    Layout image = Layout.channelsLast(Shape.of(1, 32, SIDE, SIDE));
    Layout one = Layout.channelsLast(Shape.of(1, 32, 1, 1));
    DenseTensor x = filled(image, 0.1);
    DenseTensor result = filled(one, 7);
    Pooling.Request request = new Pooling.Request(DType.FLOAT32, image, one, 2, rule);
    Looks looks = new Looks(scope);
    assertNull(
        new VectorKernels(StandardOperations.plainKernels())
            .pooling(request)
            .run(looks, x, result));
    for (int i = 0; i < 32; i++) {
      assertEquals(0.1, Elements.get(result, i), 2e-7);
    }
    return looks.count;
  }

  @Test
  void lookForCancellationOnTheirWayAndLoseNothing() {
    Window all = new Window(SIDE, 1, 0, 0, 1);
    assertTrue(looks(new Pooling.Rule.AdaptiveMean()) > 16);
    assertTrue(looks(new Pooling.Rule.Maximum(all, all)) > 16);
  }
}
