package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Operands with the same permutation are combined as they are stored; the result is bit-identical
 * to that of row-major operands.
 */
class PermutedRowsTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();

  private final Random random = new Random(11);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 26));

  @AfterEach
  void nothingIsHeld() {
    assertEquals(0, memory.account().bytes());
    memory.close();
  }

  @Test
  void bothSetsGiveTheBitsOfRowMajorOperands() {
    for (KernelSet kernels : new KernelSet[] {PLAIN, new VectorKernels(PLAIN)}) {
      ContextOptions options =
          ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
      try (Context context = Context.open(memory, options)) {
        for (DType dtype :
            new DType[] {DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32, DType.BOOL}) {
          check(numbers(context, 7, 5, 3).to(dtype), numbers(context, 7, 5, 3).to(dtype));
          check(numbers(context, 90, 70, 30).to(dtype), numbers(context, 90, 70, 30).to(dtype));
        }
      }
    }
  }

  private Tensor numbers(Context context, int... sizes) {
    float[] elements = new float[sizes[0] * sizes[1] * sizes[2]];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextGaussian() * 9;
    }
    return context.tensor(elements).reshape(sizes[0], sizes[1], sizes[2]);
  }

  private static void check(Tensor x, Tensor y) {
    Tensor a = x.permute(2, 0, 1);
    Tensor b = y.permute(2, 0, 1);
    Tensor turned = combined(a, b);
    assertArrayEquals(combined(a.contiguous(), b.contiguous()).doubles(), turned.doubles());
    turned.permute(1, 2, 0).view(-1).doubles();
  }

  private static Tensor combined(Tensor a, Tensor b) {
    return a.mul(b).maximum(a).to(DType.FLOAT32).tanh().add(0.5).where(a.gt(b), 2);
  }
}
