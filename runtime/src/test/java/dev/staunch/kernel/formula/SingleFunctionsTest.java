package dev.staunch.kernel.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Functions of float32 return the bits of those of reals, above all where quotients are integers.
 */
class SingleFunctionsTest {
  private static final long SEED = 17;
  private static final int COUNT = 400_000;
  private static final float[] SPECIAL = {
    0f,
    -0f,
    1f,
    -1f,
    0.1f,
    3f,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  @Test
  void specialNumbersAreDividedAsReals() {
    for (float a : SPECIAL) {
      for (float b : SPECIAL) {
        compare(a, b);
        compare(-a, b);
      }
    }
  }

  @Test
  void quotientsNextToAnIntegerAreDividedAsReals() {
    Random random = new Random(SEED);
    for (int i = 0; i < COUNT; i++) {
      float b = (float) Math.scalb(1 + random.nextDouble(), random.nextInt(-8, 8));
      float times = random.nextInt(1 << random.nextInt(1, 31));
      float a = b * times * (random.nextBoolean() ? 1 : -1);
      compare(a, b);
      compare(Math.nextUp(a), b);
      compare(Math.nextDown(a), -b);
    }
  }

  @Test
  void numbersOfAllMagnitudesAreDividedAsReals() {
    Random random = new Random(SEED);
    for (int i = 0; i < COUNT; i++) {
      compare(Float.intBitsToFloat(random.nextInt()), Float.intBitsToFloat(random.nextInt()));
    }
  }

  private static void compare(float a, float b) {
    same("fmod", a, b, (float) ((double) a % b), SingleFunctions.fmod(a, b));
    float remainder = (float) RealFunctions.remainder(a, b);
    same("remainder", a, b, remainder, SingleFunctions.remainder(a, b));
    float quotient = (float) RealFunctions.floorQuotient(a, b);
    same("floorQuotient", a, b, quotient, SingleFunctions.floorQuotient(a, b));
  }

  private static void same(String name, float a, float b, float expected, float found) {
    if (Float.floatToIntBits(expected) != Float.floatToIntBits(found)) {
      assertEquals(expected, found, name + " of " + a + " and " + b + ", seed " + SEED);
    }
  }
}
