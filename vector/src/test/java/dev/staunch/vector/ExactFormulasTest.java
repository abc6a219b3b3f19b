package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Formulas that need no rounding, or one, are bit-identical on both sets of kernels. */
class ExactFormulasTest {
  private static final long SEED = 23;
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final float[] SPECIAL = {
    0,
    -0f,
    0.5f,
    -0.5f,
    1.5f,
    -1.5f,
    2.5f,
    0.49999997f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    (1 << 22) + 0.5f,
    -(1 << 22) - 1.5f,
    8388607.5f,
    1 << 23,
    -(1 << 24)
  };

  private final Random random = new Random(SEED);

  private float[] numbers(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          switch (random.nextInt(4)) {
            case 0 -> (float) random.nextGaussian();
            case 1 -> random.nextInt(-50, 50) * 0.5f;
            case 2 -> Float.intBitsToFloat(random.nextInt());
            default -> SPECIAL[random.nextInt(SPECIAL.length)];
          };
    }
    return numbers;
  }

  private static float[] results(
      KernelSet kernels, BiFunction<Context, Tensor, Tensor> of, float[] a) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      return of.apply(context, context.tensor(a)).contiguous().floats();
    }
  }

  private static void compare(BiFunction<Context, Tensor, Tensor> of, float[] a) {
    float[] expected = results(PLAIN, of, a);
    float[] found = results(new VectorKernels(PLAIN), of, a);
    assertEquals(expected.length, found.length);
    for (int i = 0; i < expected.length; i++) {
      int at = i;
      assertEquals(expected[i], found[i], () -> "result " + at + ", seed " + SEED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"neg", "abs", "floor", "ceil", "round", "trunc", "reciprocal", "relu", "relu6"})
  void resultsOfOneOperandAreThoseOfThePlainLoops(String operation) {
    for (int count : new int[] {0, 1, 63, 64, 65, 1023, 5000, 70_001}) {
      compare((context, a) -> context.apply(operation, a), numbers(count));
    }
    float[] many = new float[1 << 18];
    for (int i = 0; i < many.length; i++) {
      many[i] = Float.intBitsToFloat(i * 16_411); // some of each exponent
    }
    compare((context, a) -> context.apply(operation, a), many);
  }

  @ParameterizedTest
  @ValueSource(strings = {"minimum", "maximum"})
  void extremesOfTwoOperandsAreThoseOfThePlainLoops(String operation) {
    for (int count : new int[] {1, 64, 65, 5000, 70_001}) {
      float[] both = numbers(2 * count);
      compare(
          (context, a) ->
              context.apply(operation, a.narrow(0, 0, count), a.narrow(0, count, count)),
          both);
    }
  }

  @Test
  void clampedElementsAreThoseOfThePlainLoops() {
    Object[][] bounds = {
      {-1, 1},
      {0.0, -0.0},
      {-0.0, 0.0},
      {0.1, 0.7},
      {1, -1},
      {null, 0.3},
      {-0.3, null},
      {Double.NaN, 1},
      {-1, Double.NaN},
      {Double.NEGATIVE_INFINITY, Float.MAX_VALUE},
      {1e-60, 1},
      {-1, -1e-60}
    };
    for (int count : new int[] {0, 1, 64, 65, 5000, 70_001}) {
      for (Object[] each : bounds) {
        float[] a = numbers(count);
        compare((context, self) -> context.apply("aten::clamp", self, each[0], each[1]), a);
        compare((context, self) -> context.apply("aten::clamp_", self, each[0], each[1]), a);
      }
    }
  }

  @Test
  void permutedAndSteppedOperandsAreTakenToo() {
    float[] a = numbers(70 * 90);
    for (String operation : new String[] {"floor", "neg"}) {
      compare((context, self) -> context.apply(operation, self.view(70, 90).t()), a);
      compare((context, self) -> context.apply(operation, self.view(70, 90).narrow(1, 3, 80)), a);
      compare((context, self) -> context.apply(operation, self.view(70, 45, 2).select(2, 1)), a);
    }
    compare((context, self) -> context.apply("aten::clamp", self.view(70, 90).t(), -1, 1), a);
    compare(
        (context, self) ->
            context.apply("aten::clamp", self.view(70, 90).narrow(1, 3, 80), -1.5, 0.25),
        a);
  }
}
