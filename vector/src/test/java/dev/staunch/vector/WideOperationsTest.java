package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operations on float64, integers and bool, and tests, are bit-identical on both sets of kernels.
 */
class WideOperationsTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final float[] STRANGE = {
    Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 0, -0f, 0.5f, -1, 2
  };
  private static final long ODD = (1L << 53) + 1;

  /** What is done to three tensors of 70 x 90 elements. */
  @FunctionalInterface
  private interface Work {
    Tensor of(Tensor a, Tensor b, Tensor c);
  }

  private static Tensor operand(Context context, DType dtype, int seed) {
    Random random = new Random(seed);
    long[] whole = random.longs(6300).map(bits -> bits >> random.nextInt(64)).toArray();
    double[] reals = random.doubles(6300, -3, 3).toArray();
    Tensor flat = dtype.isFloating() ? context.tensor(reals) : context.tensor(whole).to(dtype);
    return flat.view(70, 90);
  }

  private static List<?> results(KernelSet kernels, DType dtype, Work work) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      Tensor result =
          work.of(
              operand(context, dtype, 1), operand(context, dtype, 2), operand(context, dtype, 3));
      assertEquals(dtype, result.dtype());
      return dtype.isFloating()
          ? Arrays.stream(result.contiguous().doubles()).boxed().toList()
          : Arrays.stream(result.contiguous().to(DType.INT64).longs()).boxed().toList();
    }
  }

  private static void compare(DType dtype, Work work) {
    assertEquals(results(PLAIN, dtype, work), results(new VectorKernels(PLAIN), dtype, work));
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOAT64", "INT64", "INT32", "INT8", "UINT8"})
  void operandsOfAnyLayoutAndNumbers(DType dtype) {
    for (String name : new String[] {"add", "sub", "mul"}) {
      UnaryOperator<Work> swapped = work -> (a, b, c) -> work.of(b.t(), a.t(), c);
      Work plain = (a, b, c) -> a.context().apply(name, a, b);
      compare(dtype, plain);
      compare(dtype, swapped.apply(plain));
      compare(dtype, (a, b, c) -> a.context().apply(name, a, b.narrow(0, 3, 1)));
      compare(dtype, (a, b, c) -> a.context().apply(name, a, b.narrow(1, 3, 1)));
      compare(dtype, (a, b, c) -> a.context().apply(name, a, b.select(0, 2).select(0, 1)));
      compare(dtype, (a, b, c) -> a.context().apply(name, a.narrow(1, 2, 80), b.narrow(1, 5, 80)));
      compare(dtype, (a, b, c) -> a.context().apply(name, a.t(), b.view(90, 70)));
      for (long number : new long[] {7, -3, ODD, -ODD, Long.MIN_VALUE, Long.MAX_VALUE}) {
        compare(dtype, (a, b, c) -> a.context().apply(name, a, number));
      }
      compare(dtype, (a, b, c) -> a.context().apply(name + "_", a, b));
      compare(dtype, (a, b, c) -> a.context().apply(name + "_", a.t(), b.view(90, 70)));
      compare(
          dtype,
          (a, b, c) -> a.context().apply(name + "_", a.narrow(0, 0, 60), a.narrow(0, 5, 60)));
    }
    for (String name : new String[] {"minimum", "maximum"}) {
      compare(dtype, (a, b, c) -> a.context().apply(name, a, b));
    }
    for (String name : new String[] {"neg", "abs", "square"}) {
      compare(dtype, (a, b, c) -> a.context().apply(name, a));
      compare(dtype, (a, b, c) -> a.context().apply(name, a.t()));
    }
    compare(dtype, (a, b, c) -> a.context().apply("add", a, b, 3L));
    compare(dtype, (a, b, c) -> a.context().apply("sub", a, b, 3L));
    compare(dtype, (a, b, c) -> a.context().apply("addcmul", a, b, c, 3L));
    compare(dtype, (a, b, c) -> a.context().apply("clamp", a, -2, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"div", "addcdiv"})
  void quotients(String name) {
    boolean three = name.equals("addcdiv");
    compare(
        DType.FLOAT64,
        (a, b, c) -> three ? a.context().apply(name, a, b, c, 0.3) : a.context().apply(name, a, b));
    compare(
        DType.FLOAT64,
        (a, b, c) ->
            three
                ? a.context().apply(name, a, b.narrow(0, 1, 1), c, 0.3)
                : a.context().apply(name, a, 0.7));
  }

  private static List<Boolean> truths(KernelSet kernels, Work work) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      Random random = new Random(5);
      Tensor[] operands = new Tensor[3];
      for (int k = 0; k < 3; k++) {
        float[] numbers = new float[6300];
        for (int i = 0; i < numbers.length; i++) {
          numbers[i] = STRANGE[random.nextInt(STRANGE.length)];
        }
        operands[k] = context.tensor(numbers).view(70, 90);
      }
      Tensor result = work.of(operands[0], operands[1], operands[2]).contiguous();
      assertEquals(DType.BOOL, result.dtype());
      List<Boolean> list = new ArrayList<>();
      for (boolean each : result.booleans()) {
        list.add(each);
      }
      return list;
    }
  }

  private static void compareTruths(Work work) {
    assertEquals(truths(PLAIN, work), truths(new VectorKernels(PLAIN), work));
  }

  @ParameterizedTest
  @ValueSource(strings = {"eq", "ne", "lt", "le", "gt", "ge"})
  void comparisons(String name) {
    compareTruths((a, b, c) -> a.context().apply(name, a, b));
    compareTruths((a, b, c) -> a.context().apply(name, a, b.narrow(0, 3, 1)));
    compareTruths((a, b, c) -> a.context().apply(name, a, b.narrow(1, 3, 1)));
    compareTruths((a, b, c) -> a.context().apply(name, a.narrow(1, 1, 81), 0.5));
    compareTruths((a, b, c) -> a.context().apply(name, a.t(), b.view(90, 70)));
    compareTruths((a, b, c) -> a.context().apply(name, a.narrow(0, 0, 1).narrow(1, 0, 67), 0.5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or"})
  void bools(String name) {
    Work masks = (a, b, c) -> a.context().apply(name, a.gt(0), b.gt(0));
    compareTruths(masks);
    compareTruths((a, b, c) -> masks.of(a.t(), b.view(90, 70), c));
    compareTruths((a, b, c) -> masks.of(a, b.narrow(0, 3, 1), c));
    compareTruths((a, b, c) -> a.context().apply(name + "_", a.gt(0), b.gt(0)));
    compareTruths((a, b, c) -> a.context().apply("logical_not", masks.of(a, b, c)));
    compareTruths((a, b, c) -> a.context().apply("isnan", a));
  }
}
