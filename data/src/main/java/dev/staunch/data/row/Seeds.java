package dev.staunch.data.row;

/** Seeds that depend only on where they are used. */
public final class Seeds {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private Seeds() {}

  /** The seed for one place in one epoch. */
  public static long of(long seed, long epoch, long place) {
    return mix(mix(mix(seed) + epoch * GOLDEN) + place * GOLDEN);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood 2014). */
  private static long mix(long value) {
    long z = value + GOLDEN;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
