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

  /** What {@link #normals} needs besides; for one thread. */
  public static BoxMuller transform(int count) {
    return new BoxMuller(count / 2 + 1);
  }

  /** As {@link #bits(long, long[], int, long[])}. */
  public void bits(long first, long[] into, int count) {
    bits(first, into, count, scratch(count));
  }

  /** As {@link #uniforms(long, double[], int, long[])}. */
  public void uniforms(long first, double[] into, int count) {
    uniforms(first, into, count, scratch(count));
  }

  /** As {@link #normals(long, double[], int, long[], BoxMuller)}. */
  public void normals(long first, double[] into, int count) {
    normals(first, into, count, scratch(count), transform(count));
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
   * of uniforms. They are those that {@code StrictMath} gives, so every machine gives the same.
   */
  public void normals(long first, double[] into, int count, long[] scratch, BoxMuller transform) {
    int from = words(first, count, scratch);
    int start = from - (int) (first & 1);
    transform.run(scratch, start, (from + count + 1 - start) / 2);
    for (int i = 0; i < count; i++) {
      into[i] = Double.longBitsToDouble(scratch[from + i]);
    }
  }
}
