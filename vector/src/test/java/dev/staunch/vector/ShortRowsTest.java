package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that are short but many, and elements that lie in no rows, are combined as the plain kernels
 * combine them.
 */
class ShortRowsTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final int ROWS = 300;

  /** What is done to two matrices. */
  @FunctionalInterface
  private interface Work {
    Tensor of(Context context, Tensor a, Tensor b);
  }

  private static float[] results(KernelSet kernels, int width, Work work) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    Random random = new Random(width);
    float[][] elements = new float[2][ROWS * width];
    for (float[] each : elements) {
      for (int i = 0; i < each.length; i++) {
        each[i] = random.nextInt(50) == 0 ? Float.NaN : random.nextFloat(0.1f, 2);
      }
    }
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      Tensor a = context.tensor(elements[0]).view(ROWS, width);
      Tensor b = context.tensor(elements[1]).view(ROWS, width);
      return work.of(context, a, b).contiguous().to(DType.FLOAT32).floats();
    }
  }

  private static void compare(int width, Work work) {
    float[] expected = results(PLAIN, width, work);
    float[] found = results(new VectorKernels(PLAIN), width, work);
    assertArrayEquals(expected, found, 4e-6f);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 33, 63, 64, 70})
  void rowsOfAnyWidth(int width) {
    for (String name : new String[] {"add", "mul", "atan2", "hypot", "smooth_l1_loss", "pow"}) {
      compare(width, (context, a, b) -> context.apply(name, a, b.narrow(0, 5, 1)).abs());
      compare(width, (context, a, b) -> context.apply(name, b.narrow(0, 5, 1), a).abs());
      compare(width, (context, a, b) -> context.apply(name, a, b.narrow(1, 0, 1)).abs());
      compare(width, (context, a, b) -> context.apply(name, a.t(), b.t()).abs());
      compare(width, (context, a, b) -> context.apply(name, a, b.t().contiguous().t()));
      compare(width, (context, a, b) -> context.apply(name, a.t(), b.view(width, ROWS)));
      compare(width, (context, a, b) -> context.apply(name, a.to(DType.FLOAT64), b));
    }
    compare(width, (context, a, b) -> a.narrow(0, 1, 200).t().narrow(0, 0, 1).sigmoid());
    compare(width, (context, a, b) -> a.add(b.t().contiguous().t().to(DType.INT32)).exp());
  }
}
