package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares functions of numbers at the limits of float on both sets of kernels. */
class ExtremesTest {
  private static final float[] SIZES = {
    0,
    Float.MIN_VALUE,
    1e-40f,
    Float.MIN_NORMAL,
    1e-30f,
    1e-10f,
    1e-4f,
    0.1f,
    0.624f,
    0.626f,
    1,
    2.5f,
    3,
    7.3f,
    15,
    20,
    20.5f,
    40,
    80,
    87,
    1000,
    8388607.5f,
    1e10f,
    1e20f,
    5e37f,
    6e37f,
    1e38f,
    3e38f,
    Float.MAX_VALUE,
    Float.POSITIVE_INFINITY
  };

  /** Below this, a few steps between denormal numbers are accepted. */
  private static final float DENORMAL = 1e-37f;

  private static final KernelSet PLAIN = StandardOperations.plainKernels();

  private static float[] numbers() {
    float[] numbers = Arrays.copyOf(SIZES, 2 * SIZES.length + 10);
    for (int i = 0; i < SIZES.length; i++) {
      numbers[SIZES.length + i] = -SIZES[i];
    }
    Arrays.fill(numbers, 2 * SIZES.length, numbers.length, Float.NaN);
    return numbers;
  }

  private static float[] results(KernelSet kernels, String operation) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        Context context = Context.open(memory, options)) {
      Tensor found = context.apply(operation, context.tensor(numbers()));
      return found.floats();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exp",
        "sigmoid",
        "silu",
        "tanh",
        "erf",
        "mish",
        "hardswish",
        "elu",
        "softplus",
        "rsqrt",
        "sqrt",
        "square",
        "sign",
        "log",
        "log2",
        "log10",
        "log1p",
        "expm1",
        "sin",
        "cos",
        "tan",
        "atan"
      })
  void bothSetsGiveTheSame(String operation) {
    float[] numbers = numbers();
    float[] expected = results(PLAIN, operation);
    float[] found = results(new VectorKernels(PLAIN), operation);
    for (int i = 0; i < numbers.length; i++) {
      String text = operation + " of " + numbers[i] + ": " + expected[i] + " and then " + found[i];
      if (Float.isNaN(expected[i]) || Float.isInfinite(expected[i]) || expected[i] == 0) {
        assertEquals(expected[i], found[i], text);
      } else {
        float bound = Math.max(Math.abs(expected[i]), DENORMAL) * 2e-6f;
        assertTrue(Math.abs(expected[i] - found[i]) <= bound, text);
      }
    }
  }
}
