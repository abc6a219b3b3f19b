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
    int at = 0;
    long[] pair = new long[2];
    if ((first & 1) != 0 && count > 0) {
      Philox.block(first >>> 1, number, seed, pair, 0);
      into[at++] = pair[1];
    }
    for (; at + 1 < count; at += 2) {
      Philox.block((first + at) >>> 1, number, seed, into, at);
    }
    if (at < count) {
      Philox.block((first + at) >>> 1, number, seed, pair, 0);
      into[at] = pair[0];
    }
  }

  /** Uniform in [0, 1), with 53 bits. */
  public void uniforms(long first, double[] into, int count) {
    long start = first & ~1L;
    long end = first + count;
    long[] pair = new long[2];
    for (long i = start; i < end; i += 2) {
      Philox.block(i >>> 1, number, seed, pair, 0);
      put(into, count, i - first, (pair[0] >>> 11) * UNIT);
      put(into, count, i + 1 - first, (pair[1] >>> 11) * UNIT);
    }
  }

  /**
   * Standard normal (Box and Muller; elements 2k and 2k + 1 come of one pair of uniforms). By
   * {@code StrictMath}, so that every machine gives the same numbers.
   */
  public void normals(long first, double[] into, int count) {
    long start = first & ~1L;
    long end = first + count;
    long[] pair = new long[2];
    for (long i = start; i < end; i += 2) {
      Philox.block(i >>> 1, number, seed, pair, 0);
      double radius = Math.sqrt(-2 * StrictMath.log(((pair[0] >>> 11) + 1) * UNIT));
      double angle = 2 * Math.PI * ((pair[1] >>> 11) * UNIT);
      put(into, count, i - first, radius * StrictMath.cos(angle));
      put(into, count, i + 1 - first, radius * StrictMath.sin(angle));
    }
  }

  private static void put(double[] into, int count, long at, double value) {
    if (at >= 0 && at < count) {
      into[(int) at] = value;
    }
  }
}
