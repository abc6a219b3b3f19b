package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Remainders are bit-identical on both sets of kernels. */
class FloatRemaindersTest {
  private static final long SEED = 17;
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final float[] SPECIAL = {
    0,
    -0f,
    1,
    -1,
    3,
    0.1f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    1 << 22,
    (1 << 22) - 1
  };

  private final Random random = new Random(SEED);

  private float[] numbers(int count, int kinds) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          switch (random.nextInt(kinds)) {
            case 0 -> (float) random.nextGaussian();
            case 1 -> random.nextInt(-50, 50);
            case 2 -> random.nextInt(-50, 50) * 0.1f;
            case 3 -> Float.intBitsToFloat(random.nextInt());
            default -> SPECIAL[random.nextInt(SPECIAL.length)];
          };
    }
    return numbers;
  }

  private static float[] results(KernelSet kernels, String operation, float[] a, Object b) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      Object second = b instanceof float[] row ? context.tensor(row) : b;
      return context.apply(operation, context.tensor(a), second).floats();
    }
  }

  private static void compare(String operation, float[] a, Object b) {
    float[] expected = results(PLAIN, operation, a, b);
    float[] found = results(new VectorKernels(PLAIN), operation, a, b);
    for (int i = 0; i < expected.length; i++) {
      int at = i;
      assertEquals(
          expected[i],
          found[i],
          () -> {
            Object divisor = b instanceof float[] row ? row[at] : b;
            return operation + " of " + a[at] + " and " + divisor + ", seed " + SEED;
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fmod", "remainder"})
  void theyAreThoseOfThePlainLoops(String operation) {
    for (int count : new int[] {1, 63, 64, 65, 100, 1023, 5000, 70_000}) {
      for (int kinds = 1; kinds <= 5; kinds++) {
        float[] a = numbers(count, kinds);
        compare(operation, a, numbers(count, kinds));
        compare(operation, a, 0.7);
        compare(operation, a, -3.0);
      }
    }
  }
}
