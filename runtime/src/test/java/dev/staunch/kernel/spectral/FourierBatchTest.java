package dev.staunch.kernel.spectral;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.spectral.FourierLines.Kind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines that are transformed at once have the bits of lines transformed one by one. */
class FourierBatchTest {
  private static final long SEED = 11;
  private static final int ABREAST = FourierBatch.ABREAST;
  private static final int LINES = 8;

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(ints = {16, 18, 32, 64, 70, 128, 210, 400, 1000, 1024, 2000, 2048})
  void complexLines(int length) {
    assertTrue(FourierBatch.fits(length, /* real= */ false, LINES * LINES));
    for (boolean inverse : new boolean[] {false, true}) {
      double[][] re = lines(length);
      double[][] im = lines(length);
      FourierBatch batch =
          new FourierBatch(length, Kind.COMPLEX, /* real= */ false, /* floats= */ false);
      run(batch, inverse, re, im);
      for (int l = 0; l < LINES; l++) {
        FourierTransform one = new FourierTransform(length);
        one.transform(inverse ? im[l] : re[l], inverse ? re[l] : im[l]);
      }
      check(batch, re, im, length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 18, 32, 64, 70, 128, 210, 400, 1000, 1024, 2000, 2048})
  void realLines(int length) {
    for (boolean inverse : new boolean[] {false, true}) {
      double[][] re = lines(length);
      double[][] im = lines(length);
      FourierBatch batch =
          new FourierBatch(length, Kind.COMPLEX, /* real= */ true, /* floats= */ true);
      run(batch, inverse, re, im);
      for (int l = 0; l < LINES; l++) {
        new RealTransform(length).spectrum(re[l], im[l]);
        for (int k = 1; inverse && 2 * k < length; k++) {
          im[l][k] = -im[l][k];
        }
      }
      check(batch, re, im, length / 2 + 1);
      checkPairs(batch, re, im, length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 18, 32, 64, 70, 128, 210, 400, 1000, 1024, 2000, 2048})
  void spectraOfRealLines(int length) {
    for (boolean inverse : new boolean[] {false, true}) {
      double[][] re = lines(length / 2 + 1);
      double[][] im = lines(length / 2 + 1);
      FourierBatch batch =
          new FourierBatch(length, Kind.FROM_HALF, /* real= */ true, /* floats= */ true);
      run(batch, inverse, re, im);
      batch.round(1, LINES);
      for (int at = 0; at < LINES; at += ABREAST) {
        float[][] found = new float[ABREAST][2 * length];
        batch.pairs(found, at);
        for (int k = 0; k < ABREAST; k++) {
          double[] line = Arrays.copyOf(re[at + k], length);
          double[] parts = im[at + k];
          for (int i = 1; !inverse && 2 * i < length; i++) {
            parts[i] = -parts[i];
          }
          new RealTransform(length).line(line, parts);
          for (int i = 0; i < length; i++) {
            assertEquals((float) line[i], found[k][i]);
          }
        }
      }
    }
  }

  private double[][] lines(int length) {
    double[][] lines = new double[LINES][];
    for (int l = 0; l < LINES; l++) {
      lines[l] = random.doubles(length, -1, 1).toArray();
    }
    return lines;
  }

  private static void run(FourierBatch batch, boolean inverse, double[][] re, double[][] im) {
    batch.put(re, im, 0);
    batch.put(some(re, ABREAST), some(im, ABREAST), ABREAST);
    batch.run(inverse, LINES);
  }

  private static double[][] some(double[][] lines, int from) {
    return Arrays.copyOfRange(lines, from, from + ABREAST);
  }

  private static void check(FourierBatch batch, double[][] re, double[][] im, int count) {
    for (int at = 0; at < LINES; at += ABREAST) {
      double[][] foundRe = new double[ABREAST][count];
      double[][] foundIm = new double[ABREAST][count];
      batch.take(foundRe, foundIm, at);
      for (int k = 0; k < ABREAST; k++) {
        assertArrayEquals(Arrays.copyOf(re[at + k], count), foundRe[k]);
        assertArrayEquals(Arrays.copyOf(im[at + k], count), foundIm[k]);
      }
    }
  }

  private static void checkPairs(FourierBatch batch, double[][] re, double[][] im, int length) {
    double scale = 0.3;
    float[][] pairs = new float[ABREAST][2 * length];
    batch.round(scale, LINES);
    batch.pairs(pairs, ABREAST);
    for (int k = 0; k < ABREAST; k++) {
      float[] expected = new float[2 * length];
      for (int i = 0; i < length; i++) {
        int j = 2 * i <= length ? i : length - i;
        double imaginary = im[ABREAST + k][j];
        expected[2 * i] = (float) (re[ABREAST + k][j] * scale);
        expected[2 * i + 1] = (float) ((j == i ? imaginary : -imaginary) * scale);
      }
      assertArrayEquals(expected, pairs[k]);
    }
  }
}
