package dev.staunch.kernel;

/**
 * The random numbers of one operation: element {@code i} is a function of the seed, the stream's
 * number and {@code i} alone, whichever thread asks, in whichever order. Immutable.
 *
 * <p>Two elements share a {@link Philox} block: key = seed, counter = (stream number, element / 2).
 *
 * @param seed the key
 * @param number which of the seed's 2^64 streams
 */
public record RandomStream(long seed, long number) {
  private static final double UNIT = 0x1p-53;

  /** 64 random bits for each of {@code count} elements from {@code first}. */
  public void bits(long first, long[] into, int count) {
    int skipped = (int) (first & 1);
    if (skipped == 0 && count % 2 == 0) {
      Philox.blocks(first >>> 1, number, seed, into, count / 2);
    } else {
      System.arraycopy(words(first, count), skipped, into, 0, count);
    }
  }

  /** The words of all blocks that the elements have a part of. */
  private long[] words(long first, int count) {
    int blocks = (int) ((first + count + 1) / 2 - first / 2);
    long[] words = new long[2 * blocks];
    Philox.blocks(first >>> 1, number, seed, words, blocks);
    return words;
  }

  /** Uniform in [0, 1), with 53 bits. */
  public void uniforms(long first, double[] into, int count) {
    long[] words = words(first, count);
    int skipped = (int) (first & 1);
    for (int i = 0; i < count; i++) {
      into[i] = (words[skipped + i] >>> 11) * UNIT;
    }
  }

  /**
   * Standard normal (Box and Muller; elements 2k and 2k + 1 come of one pair of uniforms). By
   * {@code StrictMath}, so that every machine gives the same numbers.
   */
  public void normals(long first, double[] into, int count) {
    long[] words = words(first, count);
    long start = first & ~1L;
    for (int i = 0; i < words.length; i += 2) {
      double radius = Math.sqrt(-2 * StrictMath.log(((words[i] >>> 11) + 1) * UNIT));
      double angle = 2 * Math.PI * ((words[i + 1] >>> 11) * UNIT);
      put(into, count, start + i - first, radius * StrictMath.cos(angle));
      put(into, count, start + i + 1 - first, radius * StrictMath.sin(angle));
    }
  }

  private static void put(double[] into, int count, long at, double value) {
    if (at >= 0 && at < count) {
      into[(int) at] = value;
    }
  }
}
