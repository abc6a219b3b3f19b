package dev.staunch.kernel;

/**
 * Philox4x32 with ten rounds: a function from a 128-bit counter and a 64-bit key to 128 random bits
 * (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11). No state
 * passes from one block to the next, so any element can be computed on its own, on any thread.
 */
final class Philox {
  private static final int ROUNDS = 10;
  private static final long MULTIPLIER_0 = 0xD2511F53L;
  private static final long MULTIPLIER_1 = 0xCD9E8D57L;
  private static final int WEYL_0 = 0x9E3779B9;
  private static final int WEYL_1 = 0xBB67AE85;

  /** Blocks that go through their rounds together. */
  private static final int TILE = 64;

  /**
   * Index at which {@link #blocks} writes its results, after the words that go through the rounds.
   */
  static final int RESULTS = 4 * TILE;

  private static final long LOW = 0xFFFFFFFFL;

  private Philox() {}

  /**
   * Writes {@code count} blocks, with counters from {@code high:low} on, one after the other,
   * starting at {@link #RESULTS}. Each round runs over many blocks in loops that C2 vectorises. The
   * loops use a single array, because C2 cannot tell whether two arrays are the same one.
   */
  static void blocks(long low, long high, long key, long[] words, int count) {
    for (int first = 0; first < count; first += TILE) {
      start(low + first, high, words);
      int k0 = (int) key;
      int k1 = (int) (key >>> 32);
      for (int round = 0; round < ROUNDS; round++) {
        round(words, k0 & LOW, k1 & LOW);
        k0 += WEYL_0;
        k1 += WEYL_1;
      }
      int part = Math.min(TILE, count - first);
      int to = RESULTS + 2 * first;
      for (int i = 0; i < part; i++) {
        words[to + 2 * i] = words[i] | (words[TILE + i] << 32);
        words[to + 2 * i + 1] = words[2 * TILE + i] | (words[3 * TILE + i] << 32);
      }
    }
  }

  private static void start(long low, long high, long[] words) {
    for (int i = 0; i < TILE; i++) {
      words[i] = (low + i) & LOW;
      words[TILE + i] = (low + i) >>> 32;
      words[2 * TILE + i] = high & LOW;
      words[3 * TILE + i] = high >>> 32;
    }
  }

  /** One round over words that are in the lower half of a long each. */
  private static void round(long[] words, long k0, long k1) {
    for (int i = 0; i < TILE; i++) {
      long p0 = MULTIPLIER_0 * words[i];
      long p1 = MULTIPLIER_1 * words[2 * TILE + i];
      words[i] = (p1 >>> 32) ^ words[TILE + i] ^ k0;
      words[2 * TILE + i] = (p0 >>> 32) ^ words[3 * TILE + i] ^ k1;
      words[TILE + i] = p1 & LOW;
      words[3 * TILE + i] = p0 & LOW;
    }
  }
}
