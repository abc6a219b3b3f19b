package dev.staunch.kernel.spectral;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transforms of real lines compared with those of complex ones. */
class RealTransformTest {
  private static final long SEED = 4;

  @ParameterizedTest
  @ValueSource(ints = {4, 6, 8, 10, 12, 16, 30, 62, 64, 100, 128, 486, 512, 1024})
  void theSpectrumIsThatOfComplexNumbersAndLeadsBack(int length) {
    Random random = new Random(SEED);
    double[] line = random.doubles(length, -1, 1).toArray();
    double[] expectedRe = line.clone();
    double[] expectedIm = new double[length];
    new FourierTransform(length).transform(expectedRe, expectedIm);

    double[] re = line.clone();
    double[] im = new double[length];
    RealTransform transform = new RealTransform(length);
    transform.spectrum(re, im);
    int half = length / 2 + 1;
    double bound = 1e-14 * length;
    assertArrayEquals(Arrays.copyOf(expectedRe, half), Arrays.copyOf(re, half), bound);
    assertArrayEquals(Arrays.copyOf(expectedIm, half), Arrays.copyOf(im, half), bound);

    im[0] = 7; // not read, because the line is real
    im[length / 2] = -7;
    transform.line(re, im);
    double[] back = Arrays.stream(re).map(value -> value / length).toArray();
    assertArrayEquals(line, back, bound);
  }
}
