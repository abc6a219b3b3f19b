package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Attention that computes its scores block by block, compared with attention that returns them all.
 */
class BlockedAttentionTest {
  private static final Object NONE = None.NONE;

  private static Object run(KernelBench bench, String name, Object... arguments) {
    return Objects.requireNonNull(bench.run("aten::" + name, arguments));
  }

  private static DenseTensor random(ResourceScope scope, Random random, long... sizes) {
    Shape shape = Shape.of(sizes);
    double[] values = random.doubles(shape.elements(), -2, 2).toArray();
    return (DenseTensor) HostTensors.doubles(scope, shape, values);
  }

  /** A tensor of this shape with its last two dimensions, or the two before them, swapped. */
  private static Object permuted(KernelBench bench, Random random, long... sizes) {
    long[] lying = sizes.clone();
    int dim = sizes.length - 2 - (sizes.length > 3 ? random.nextInt(2) : 0);
    lying[dim] = sizes[dim + 1];
    lying[dim + 1] = sizes[dim];
    DenseTensor made = random(bench.scope(), random, lying);
    return run(bench, "transpose.int", made, (long) dim, (long) dim + 1);
  }

  private static Object mask(KernelBench bench, Random random, long queries, long keys) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        byte[] flags = new byte[(int) (queries * keys)];
        for (int i = 0; i < flags.length; i++) {
          boolean ofAnEmptyRow = i / keys % 5 == 1;
          flags[i] = (byte) (ofAnEmptyRow || random.nextInt(3) == 0 ? 0 : 1);
        }
        DenseTensor made =
            (DenseTensor) HostTensors.bools(bench.scope(), Shape.of(queries, keys), flags);
        yield switch (random.nextInt(4)) {
          case 0 -> run(bench, "slice.Tensor", made, 1L, 0L, 1L, 1L); // the same for all keys
          case 1 -> run(bench, "slice.Tensor", made, 0L, 0L, 1L, 1L); // the same for all queries
          case 2 -> {
            Object turned = run(bench, "contiguous", run(bench, "t", made), 0L);
            yield run(bench, "t", turned);
          }
          default -> made;
        };
      }
      case 1 -> {
        Shape shape = Shape.of(2, 1, queries, keys);
        double[] addends = random.doubles(shape.elements(), -2, 2).toArray();
        for (int i = 0; i < addends.length; i++) {
          boolean ofAnEmptyRow = i / keys % 7 == 2;
          boolean hides = ofAnEmptyRow || random.nextInt(3) == 0;
          addends[i] = hides ? Double.NEGATIVE_INFINITY : addends[i];
        }
        yield HostTensors.doubles(bench.scope(), shape, addends);
      }
      case 2 -> random(bench.scope(), random, 1, keys);
      default -> NONE;
    };
  }

  @Test
  void blocksGiveWhatAllScoresGive() {
    Random random = new Random(20261128);
    for (int i = 0; i < (Sample.whole() ? 60 : 24); i++) {
      OffHeap memory = OffHeap.withBudget(256L << 20);
      try (ResourceScope scope = ResourceScope.open(memory, "test")) {
        KernelBench bench = new KernelBench(scope);
        boolean grouped = random.nextInt(3) == 0;
        boolean shared = !grouped && random.nextBoolean();
        long queries = random.nextInt(1, 300);
        long keys = random.nextInt(20, random.nextInt(4) == 0 ? 9000 : 900);
        long size = random.nextInt(1, 10);
        Object query = permuted(bench, random, 2, 4, queries, size);
        Object key =
            shared
                ? permuted(bench, random, keys, size)
                : permuted(bench, random, 2, grouped ? 2 : 4, keys, size);
        Object value =
            shared
                ? permuted(bench, random, 4, keys, 3)
                : permuted(bench, random, 2, grouped ? 2 : 4, keys, random.nextInt(1, 8));
        Object mask = mask(bench, random, queries, keys);
        if (random.nextBoolean()) {
          query = single(bench, query);
          key = single(bench, key);
          value = single(bench, value);
          mask = mask instanceof DenseTensor t && t.dtype().isFloating() ? single(bench, t) : mask;
        }
        boolean causal = mask.equals(NONE) && random.nextBoolean();
        String name = "scaled_dot_product_attention";
        Object found = run(bench, name, query, key, value, mask, 0.0, causal, NONE, grouped);
        Object all =
            ((Object[])
                    run(
                        bench,
                        "_" + name + "_math",
                        query,
                        key,
                        value,
                        mask,
                        0.0,
                        causal,
                        NONE,
                        NONE,
                        grouped))
                [0];
        DenseTensor tensor = assertInstanceOf(DenseTensor.class, found);
        double error = tensor.dtype() == DType.FLOAT64 ? 1e-12 : 1e-5;
        String what = "case " + i + ": " + tensor.shape() + " of " + keys + " keys";
        assertEquals(((DenseTensor) all).shape(), tensor.shape(), what);
        assertArrayEquals(
            HostTensors.toDoubles((DenseTensor) all), HostTensors.toDoubles(tensor), error, what);
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void headsSeeTheSameWithoutTheirWeights() {
    Random random = new Random(3);
    for (long type = -1; type < 3; type++) {
      OffHeap memory = OffHeap.withBudget(64L << 20);
      try (ResourceScope scope = ResourceScope.open(memory, "test")) {
        KernelBench bench = new KernelBench(scope);
        DenseTensor x = random(scope, random, 2, 90, 12);
        DenseTensor[] parameters = {
          random(scope, random, 36, 12),
          random(scope, random, 36),
          random(scope, random, 12, 12),
          random(scope, random, 12)
        };
        Object mask =
            switch ((int) type) {
              case 0 -> hidden(scope, random, 90, 90);
              case 1 -> hidden(scope, random, 2, 90);
              case 2 -> hidden(scope, random, 2, 4, 90, 90);
              default -> NONE;
            };
        Object kind = type < 0 ? NONE : (Object) type;
        double[][] seen = new double[2][];
        for (int i = 0; i < 2; i++) {
          Object[] results =
              (Object[])
                  run(
                      bench,
                      "_native_multi_head_attention",
                      x,
                      x,
                      x,
                      12L,
                      4L,
                      parameters[0],
                      parameters[1],
                      parameters[2],
                      parameters[3],
                      mask,
                      i == 0,
                      false,
                      kind);
          seen[i] = HostTensors.toDoubles((DenseTensor) results[0]);
        }
        assertArrayEquals(seen[0], seen[1], 1e-11, "mask of type " + type);
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  private static Object hidden(ResourceScope scope, Random random, long... sizes) {
    Shape shape = Shape.of(sizes);
    byte[] flags = new byte[(int) shape.elements()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = (byte) (random.nextInt(4) == 0 ? 1 : 0);
    }
    return HostTensors.bools(scope, shape, flags);
  }

  private static Object single(KernelBench bench, Object tensor) {
    return run(bench, "to.dtype", tensor, (long) DType.FLOAT32.code(), false, false, NONE);
  }

  @Test
  void scoresThatWouldNotFitIntoMemoryAreNeverThereAtOnce() {
    OffHeap memory = OffHeap.withBudget(8L << 20); // all scores take 128 MiB
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      KernelBench bench = new KernelBench(scope);
      DenseTensor x = random(scope, new Random(1), 4096, 4);
      Object seen =
          run(bench, "scaled_dot_product_attention", x, x, x, NONE, 0.0, true, NONE, false);
      assertInstanceOf(DenseTensor.class, seen);
      double[] first = HostTensors.toDoubles((DenseTensor) run(bench, "select.int", x, 0L, 0L));
      double[] found = HostTensors.toDoubles((DenseTensor) run(bench, "select.int", seen, 0L, 0L));
      assertArrayEquals(first, found, 1e-12, "the first query sees the first key alone");
    }
  }

  @Test
  void whatHasNoMemoryForABlockIsAFaultAndLeavesNothing() {
    OffHeap memory = OffHeap.withBudget(2L << 20);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      KernelBench bench = new KernelBench(scope);
      DenseTensor x = random(scope, new Random(1), 12_000, 4);
      long held = memory.account().bytes();
      Object refused =
          run(bench, "scaled_dot_product_attention", x, x, x, NONE, 0.0, false, NONE, false);
      assertEquals(FaultType.OUT_OF_MEMORY, assertInstanceOf(Fault.class, refused).type());
      assertEquals(held, memory.account().bytes());
    }
  }
}
