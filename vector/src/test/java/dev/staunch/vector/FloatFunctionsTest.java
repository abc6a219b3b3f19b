package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;

/** Functions of vectors beside those of {@link Math}. */
class FloatFunctionsTest {
  private static final int LANES = FloatVector.SPECIES_PREFERRED.length();

  /** A prime, so that all exponents and many fractions are met. */
  private static final int STEP = 4099;

  @Test
  void theExponentialIsWithinTwoUlpOfTheExactOneForAllFloats() {
    float[] x = new float[LANES];
    float[] y = new float[LANES];
    long bits = Integer.MIN_VALUE;
    while (bits <= Integer.MAX_VALUE) {
      for (int i = 0; i < LANES; i++, bits += STEP) {
        x[i] = Float.intBitsToFloat((int) Math.min(bits, Integer.MAX_VALUE));
      }
      FloatFunctions.exp(FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, x, 0))
          .intoArray(y, 0);
      for (int i = 0; i < LANES; i++) {
        check(x[i], y[i]);
      }
    }
  }

  private static void check(float x, float found) {
    double exact = Math.exp(x);
    if (Double.isNaN(exact) || Float.isInfinite((float) exact)) {
      assertEquals((float) exact, found, "exp of " + x);
    } else {
      double error = Math.abs(found - exact) / Math.ulp((float) exact);
      assertTrue(error <= 2, "exp of " + x + " is off by " + error + " ulp");
    }
  }
}
