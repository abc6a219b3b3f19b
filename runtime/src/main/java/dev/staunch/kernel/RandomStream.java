package dev.staunch.kernel;

import org.jspecify.annotations.Nullable;

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

  /** Scratch space for drawing up to {@code count} elements at a time; for one thread. */
  public static Scratch scratch(int count) {
    return new Scratch(count);
  }

  /** What drawing overwrites. */
  public static final class Scratch {
    private final long[] words;
    private @Nullable BoxMuller transform;

    private Scratch(int count) {
      this.words = new long[Philox.RESULTS + count + 2];
    }

    private BoxMuller transform() {
      BoxMuller known = transform;
      if (known == null) {
        known = new BoxMuller((words.length - Philox.RESULTS) / 2);
        transform = known;
      }
      return known;
    }
  }

  /** As {@link #bits(long, long[], int, Scratch)}. */
  public void bits(long first, long[] into, int count) {
    bits(first, into, count, scratch(count));
  }

  /** As {@link #uniforms(long, double[], int, Scratch)}. */
  public void uniforms(long first, double[] into, int count) {
    uniforms(first, into, count, scratch(count));
  }

  /** As {@link #normals(long, double[], int, Scratch)}. */
  public void normals(long first, double[] into, int count) {
    normals(first, into, count, scratch(count));
  }

  /** 64 random bits for each of {@code count} elements from {@code first}. */
  public void bits(long first, long[] into, int count, Scratch scratch) {
    int from = words(first, count, scratch);
    System.arraycopy(scratch.words, from, into, 0, count);
  }

  /** Uniform in [0, 1), with 53 bits. */
  public void uniforms(long first, double[] into, int count, Scratch scratch) {
    int from = words(first, count, scratch);
    for (int i = 0; i < count; i++) {
      into[i] = (scratch.words[from + i] >>> 11) * UNIT;
    }
  }

  /** Makes the blocks that contain the elements; returns the index of the first element's word. */
  private int words(long first, int count, Scratch scratch) {
    int blocks = (int) ((first + count + 1) / 2 - first / 2);
    Philox.blocks(first >>> 1, number, seed, scratch.words, blocks);
    return Philox.RESULTS + (int) (first & 1);
  }

  /**
   * Standard normal numbers by the Box-Muller transform; elements 2k and 2k + 1 come from one pair
   * of uniforms. They are those that {@code StrictMath} gives, so every machine gives the same.
   */
  public void normals(long first, double[] into, int count, Scratch scratch) {
    int from = words(first, count, scratch);
    int start = from - (int) (first & 1);
    scratch.transform().run(scratch.words, start, (from + count + 1 - start) / 2);
    for (int i = 0; i < count; i++) {
      into[i] = Double.longBitsToDouble(scratch.words[from + i]);
    }
  }
}
