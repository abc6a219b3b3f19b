package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Powers on vectors are within an ulp of those of the plain loops, which are rounded once. */
class FloatPowersTest {
  private static final long SEED = 19;
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final float[] SPECIAL = {
    0,
    -0f,
    1,
    -1,
    2,
    -3,
    0.5f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    (1 << 22) - 1,
    1 << 24
  };

  private final Random random = new Random(SEED);

  private float[] numbers(int count, int kinds) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          switch (random.nextInt(kinds)) {
            case 0 -> (float) Math.exp(random.nextGaussian());
            case 1 -> random.nextInt(0, 50);
            case 2 -> (float) random.nextGaussian(1, 1e-3);
            case 3 -> random.nextInt(-50, 50);
            case 4 -> Float.intBitsToFloat(random.nextInt());
            default -> SPECIAL[random.nextInt(SPECIAL.length)];
          };
    }
    return numbers;
  }

  private static float[] results(KernelSet kernels, float[] a, Object b) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      Object second = b instanceof float[] row ? context.tensor(row) : b;
      String name = b instanceof float[] ? "aten::pow.Tensor_Tensor" : "aten::pow.Tensor_Scalar";
      return context.apply(name, context.tensor(a), second).floats();
    }
  }

  private static void compare(float[] a, Object b) {
    float[] expected = results(PLAIN, a, b);
    float[] found = results(new VectorKernels(PLAIN), a, b);
    for (int i = 0; i < expected.length; i++) {
      Object exponent = b instanceof float[] row ? row[i] : b;
      String text = a[i] + " to the power of " + exponent + ", seed " + SEED;
      if (Float.isFinite(expected[i]) && expected[i] != 0) {
        float error = Math.abs(found[i] - expected[i]);
        assertTrue(error <= Math.ulp(expected[i]), text + " is " + found[i]);
        assertEquals(Math.signum(expected[i]), Math.signum(found[i]), text);
      } else {
        assertEquals(expected[i], found[i], text);
      }
    }
  }

  @Test
  void theyAreWithinAnUlpOfThePlainOnes() {
    for (int count : new int[] {1, 63, 64, 65, 100, 1023, 5000, 70_000}) {
      for (int kinds = count > 100 ? 6 : 1; kinds <= 6; kinds++) {
        float[] a = numbers(count, kinds);
        compare(a, numbers(count, kinds));
        for (Object exponent : new Object[] {0.7, -3.0, 3L, 0L, 1.5, -0.1, 1e-30, 5e6}) {
          compare(a, exponent);
        }
      }
    }
  }

  @Test
  void powersThatAreFloatsAreExact() {
    float[] a = new float[4096];
    float[] b = new float[4096];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextInt(-9, 10);
      b[i] = random.nextInt(0, 7);
    }
    float[] found = results(new VectorKernels(PLAIN), a, b);
    for (int i = 0; i < a.length; i++) {
      assertEquals((float) Math.pow(a[i], b[i]), found[i]);
    }
  }
}
