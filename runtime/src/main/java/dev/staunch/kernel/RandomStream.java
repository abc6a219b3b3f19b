package dev.staunch.kernel;

/**
 * The random numbers of one operation. Element {@code i} depends only on the seed, the stream's
 * number and {@code i}, whichever thread asks and in whichever order. Immutable.
 *
 * <p>Two elements share a {@link Philox} block: key = seed, counter = (stream number, element / 2).
 *
 * @param seed the key
 * @param number which of the seed's 2^64 streams
 */
public record RandomStream(long seed, long number) {
  private static final double UNIT = 0x1p-53;

  /**
   * A scratch array for drawing {@code count} elements at a time; drawing overwrites its content.
   */
  public static long[] scratch(int count) {
    return new long[Philox.RESULTS + count + 2];
  }

  /** As {@link #bits(long, long[], int, long[])}. */
  public void bits(long first, long[] into, int count) {
    bits(first, into, count, scratch(count));
  }

  /** As {@link #uniforms(long, double[], int, long[])}. */
  public void uniforms(long first, double[] into, int count) {
    uniforms(first, into, count, scratch(count));
  }

  /** As {@link #normals(long, double[], int, long[])}. */
  public void normals(long first, double[] into, int count) {
    normals(first, into, count, scratch(count));
  }

  /** 64 random bits for each of {@code count} elements from {@code first}. */
  public void bits(long first, long[] into, int count, long[] scratch) {
    int from = words(first, count, scratch);
    System.arraycopy(scratch, from, into, 0, count);
  }

  /** Uniform in [0, 1), with 53 bits. */
  public void uniforms(long first, double[] into, int count, long[] scratch) {
    int from = words(first, count, scratch);
    for (int i = 0; i < count; i++) {
      into[i] = (scratch[from + i] >>> 11) * UNIT;
    }
  }

  /** Makes the blocks that contain the elements; returns the index of the first element's word. */
  private int words(long first, int count, long[] scratch) {
    int blocks = (int) ((first + count + 1) / 2 - first / 2);
    Philox.blocks(first >>> 1, number, seed, scratch, blocks);
    return Philox.RESULTS + (int) (first & 1);
  }

  /**
   * Standard normal numbers by the Box-Muller transform; elements 2k and 2k + 1 come from one pair
   * of uniforms. Uses {@code StrictMath}, so every machine gives the same numbers.
   */
  public void normals(long first, double[] into, int count, long[] scratch) {
    int from = words(first, count, scratch);
    int skipped = (int) (first & 1);
    for (int i = -skipped; i < count; i += 2) {
      double radius = Math.sqrt(-2 * StrictMath.log(((scratch[from + i] >>> 11) + 1) * UNIT));
      double angle = 2 * Math.PI * ((scratch[from + i + 1] >>> 11) * UNIT);
      put(into, count, i, radius * StrictMath.cos(angle));
      put(into, count, i + 1, radius * StrictMath.sin(angle));
    }
  }

  private static void put(double[] into, int count, int at, double value) {
    if (at >= 0 && at < count) {
      into[at] = value;
    }
  }
}
