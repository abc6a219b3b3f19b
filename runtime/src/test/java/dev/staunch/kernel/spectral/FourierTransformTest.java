package dev.staunch.kernel.spectral;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The transform compared with its definition, over powers of two of both kinds and other lengths.
 */
class FourierTransformTest {
  private static final long SEED = 3;

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 22, 31, 32, 49, 60, 64, 100, 105, 128, 243, 256, 400,
        512, 735
      })
  void theTransformIsASumOverAllElements(int length) {
    Random random = new Random(SEED);
    double[] re = random.doubles(length, -1, 1).toArray();
    double[] im = random.doubles(length, -1, 1).toArray();
    double[] expectedRe = new double[length];
    double[] expectedIm = new double[length];
    for (int k = 0; k < length; k++) {
      for (int i = 0; i < length; i++) {
        double angle = 2 * Math.PI * ((long) i * k % length) / length;
        expectedRe[k] += re[i] * Math.cos(angle) + im[i] * Math.sin(angle);
        expectedIm[k] += im[i] * Math.cos(angle) - re[i] * Math.sin(angle);
      }
    }
    new FourierTransform(length).transform(re, im);
    assertArrayEquals(expectedRe, re, 1e-12 * length);
    assertArrayEquals(expectedIm, im, 1e-12 * length);
  }

  @Test
  void theTableOfTheLongestLineIsCountedInInts() {
    assertEquals(0, FourierRoots.rootsOf(1));
    assertEquals(2 * ((1 << 28) - 1), FourierRoots.rootsOf(1 << 28));
    assertEquals(2 * ((1 << 29) - 2), FourierRoots.rootsOf(1 << 29));
  }
}
