package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations that reduce rows by loops of the set, on both sets. */
class ReducedRowsTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();

  private static double[] results(KernelSet kernels, Function<Context, Tensor> work) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 26)) {
      try (Context context = Context.open(memory, options)) {
        return work.apply(context).to(DType.FLOAT64).contiguous().view(-1).doubles();
      } finally {
        assertEquals(0, memory.account().bytes());
      }
    }
  }

  private static void compare(double tolerance, Function<Context, Tensor> work) {
    double[] expected = results(PLAIN, work);
    double[] found = results(new VectorKernels(PLAIN), work);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], Math.abs(expected[i]) * tolerance, "result " + i);
    }
  }

  private static Tensor numbers(Context context, int rows, int columns, double middle) {
    Random random = new Random(columns);
    double[] numbers = random.doubles((long) rows * columns, middle - 1, middle + 1).toArray();
    return context.tensor(numbers).to(DType.FLOAT32).view(rows, columns);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BFLOAT16", "FLOAT16"})
  void narrowRowsAreReducedAsByThePlainSet(DType dtype) {
    double tolerance = dtype == DType.FLOAT16 ? 0x1p-10 : 0x1p-7;
    for (int columns : new int[] {3, 16, 70, 2048, 5000}) {
      for (List<Long> dims : List.of(List.of(1L), List.of(0L), List.of(0L, 1L))) {
        for (String name : new String[] {"sum.dim_IntList", "mean.dim", "amax", "amin"}) {
          compare(
              tolerance,
              context -> {
                Tensor x = numbers(context, 20, columns, 1.5).to(dtype);
                return context.apply("aten::" + name, x, dims, false);
              });
        }
      }
      for (String name : new String[] {"softmax.int", "log_softmax.int"}) {
        compare(
            tolerance,
            context -> {
              Tensor x = numbers(context, 20, columns, 0).to(dtype);
              return context.apply("aten::" + name, x, 1L, None.NONE);
            });
      }
    }
  }

  @Test
  void noGroupsOfRepeatedElementsHaveNoExtremes() {
    for (String name : new String[] {"argmax", "argmin"}) {
      compare(
          0,
          context -> {
            Tensor x = context.apply("aten::expand", context.zeros(1, 0), List.of(72L, 0L), false);
            return context.apply("aten::" + name, x, 0L, true);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 100, 1e5})
  void batchesAreNormalisedByTheirOwnStatistics(double middle) {
    for (int pixels : new int[] {1, 5, 64}) {
      for (int part = 0; part < 3; part++) {
        int wanted = part;
        double tolerance = part == 0 ? 0 : 1e-5;
        Function<Context, Tensor> work =
            context -> {
              Tensor x = numbers(context, 60, 7 * pixels, middle);
              Tensor images = pixels == 1 ? x : x.view(60, 7, pixels);
              Tensor mean = context.zeros(7);
              Tensor variance = context.ones(7);
              Tensor y =
                  context.apply(
                      "aten::batch_norm",
                      images,
                      None.NONE,
                      None.NONE,
                      mean,
                      variance,
                      true,
                      0.5,
                      1e-5,
                      true);
              return wanted == 0 ? y : wanted == 1 ? mean : variance;
            };
        if (wanted > 0) {
          compare(tolerance, work);
        } else {
          double lost = 3e-7 * (1 + middle) * 2; // digits that float32 lacks beside the mean
          assertArrayEquals(results(PLAIN, work), results(new VectorKernels(PLAIN), work), lost);
        }
      }
    }
  }

  @Test
  void aChannelThatHardlyVariesKeepsTheDigitsOfItsVariance() {
    compare(
        1e-5,
        context -> {
          Tensor x = numbers(context, 60, 7, 3e6);
          Tensor variance = context.zeros(7);
          context.apply(
              "aten::batch_norm",
              x,
              None.NONE,
              None.NONE,
              None.NONE,
              variance,
              true,
              1.0,
              1e-5,
              true);
          return variance;
        });
  }

  @Test
  void complexNumbersAreMultipliedInPairs() {
    for (int count : new int[] {1, 7, 70, 5000}) {
      for (long part : new long[] {0, 1}) {
        compare(
            1e-5,
            context -> {
              Tensor a = context.apply("aten::view_as_complex", numbers(context, count, 2, 1.5));
              Tensor b = context.apply("aten::view_as_complex", numbers(context, count, 2, 4));
              Tensor product = context.apply("aten::view_as_real", a.mul(b));
              return product.select(1, part).add(20);
            });
      }
    }
  }
}
