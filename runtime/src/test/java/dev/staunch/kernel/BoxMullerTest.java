package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Normal numbers have the bits that StrictMath's functions give. */
class BoxMullerTest {
  private static final long SEED = 31;
  private static final int PAIRS = 257;
  private static final int ROUNDS = 400;

  private final Random random = new Random(SEED);
  private final BoxMuller transform = new BoxMuller(PAIRS);

  @Test
  void forAnyBits() {
    for (int round = 0; round < ROUNDS; round++) {
      check(random.longs(2 * PAIRS).toArray());
    }
  }

  @Test
  void forNumbersOfAnySize() {
    for (int round = 0; round < ROUNDS; round++) {
      check(random.longs(2 * PAIRS).map(word -> word >>> random.nextInt(Long.SIZE)).toArray());
    }
  }

  @Test
  void aroundNumbersAndAnglesThatAreTreatedApart() {
    double[] edges = {0x6147ap-20, 0x6147bp-20, 0x6a09cp-20, 0x6b851p-20, 0x6b852p-20, 0};
    for (int round = 0; round < ROUNDS; round++) {
      long[] words = new long[2 * PAIRS];
      for (int i = 0; i < words.length; i += 2) {
        double edge =
            (1 + edges[random.nextInt(edges.length)]) * Math.scalb(0.5, -random.nextInt(9));
        words[i] = word(near(edge));
        words[i + 1] = word(near(random.nextInt(33) / 32.0));
        if (i % 4 == 0) { // the cosine's own edges
          double turnEdge = random.nextBoolean() ? 0.3 : 0.78125;
          double turn =
              random.nextInt(5) / 4.0 + (random.nextBoolean() ? turnEdge : -turnEdge) / 2 / Math.PI;
          words[i + 1] = word(near(turn));
        }
      }
      check(words);
    }
  }

  private double near(double number) {
    return number * (1 + Math.scalb(random.nextDouble() - 0.5, -random.nextInt(54)));
  }

  /** The word whose 53 bits stand for {@code number}, or the next one that there is. */
  private static long word(double number) {
    double most = 1 - 0x1p-53;
    return (long) (Math.max(0, Math.min(most, number)) * 0x1p53) << 11;
  }

  private void check(long[] words) {
    long[] found = words.clone();
    transform.run(found, 0, words.length / 2);
    for (int i = 0; i < words.length; i += 2) {
      double radius = Math.sqrt(-2 * StrictMath.log(((words[i] >>> 11) + 1) * 0x1p-53));
      double angle = 2 * Math.PI * ((words[i + 1] >>> 11) * 0x1p-53);
      assertEquals(bits(radius * StrictMath.cos(angle)), found[i]);
      assertEquals(bits(radius * StrictMath.sin(angle)), found[i + 1]);
    }
  }

  private static long bits(double number) {
    return Double.doubleToRawLongBits(number);
  }
}
