package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@code index_add} with loops on vectors and, for other operands, without. */
class IndexAddTest {
  private final Random random = new Random(5);

  private static double[] elements(Tensor tensor) {
    return tensor.to(DType.FLOAT64).contiguous().doubles();
  }

  @Test
  void slicesAreAddedInTheOrderOfTheIndex() {
    Catalog catalog = StandardOperations.catalog();
    ContextOptions options =
        ContextOptions.standard().withCatalog(catalog.with(catalog.kernels().warm()));
    try (OffHeap memory = OffHeap.withBudget(1 << 26);
        Context context = Context.open(memory, options)) {
      for (int round = 0; round < 300; round++) {
        compare(context, round);
      }
    }
  }

  private void compare(Context context, int round) {
    long[] sizes = {1 + random.nextInt(4), 1 + random.nextInt(5), 1 + random.nextInt(80)};
    int dim = random.nextInt(3);
    DType dtype = random.nextInt(4) == 0 ? DType.FLOAT64 : DType.FLOAT32;
    int count = random.nextInt(12);
    Object alpha = new Object[] {1L, 1.0, -0.5, 3L}[random.nextInt(4)];
    double factor = ((Number) alpha).doubleValue();
    long[] index = random.longs(count, 0, sizes[dim]).toArray();
    long[] added = sizes.clone();
    added[dim] = count;
    Tensor self = context.uniform(-1, 1, sizes).to(dtype);
    Tensor source = context.uniform(-1, 1, added).to(dtype);
    double[] expected = elements(self);
    double[] terms = elements(source);
    int inner = (int) (dim == 2 ? 1 : dim == 1 ? sizes[2] : sizes[1] * sizes[2]);
    for (int i = 0; i < terms.length; i++) {
      int slice = i / inner % Math.max(1, count);
      int outer = i / inner / Math.max(1, count);
      int at = (int) ((outer * sizes[dim] + index[slice]) * inner + i % inner);
      double sum = expected[at] + factor * terms[i];
      expected[at] = dtype == DType.FLOAT32 ? (float) sum : sum;
    }
    Tensor chosen = context.tensor(index);
    Tensor found = context.apply("aten::index_add", self, (long) dim, chosen, source, alpha);
    assertArrayEquals(expected, elements(found), "round " + round);
    context.apply("aten::index_add_", self, (long) dim, chosen, source, alpha);
    assertArrayEquals(expected, elements(self), "in place, round " + round);
  }
}
