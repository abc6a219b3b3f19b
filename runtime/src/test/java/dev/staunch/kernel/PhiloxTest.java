package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PhiloxTest {
  private static final long LOW = 0xFFFFFFFFL;

  /**
   * One block, as the paper defines it: writes it as two longs, low word first, to {@code into[at]}
   * and {@code into[at + 1]}; the counter is {@code high:low}.
   */
  private static void block(long low, long high, long key, long[] into, int at) {
    int c0 = (int) low;
    int c1 = (int) (low >>> 32);
    int c2 = (int) high;
    int c3 = (int) (high >>> 32);
    int k0 = (int) key;
    int k1 = (int) (key >>> 32);
    for (int round = 0; round < 10; round++) {
      long p0 = 0xD2511F53L * (c0 & LOW);
      long p1 = 0xCD9E8D57L * (c2 & LOW);
      c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
      c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
      c1 = (int) p1;
      c3 = (int) p0;
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    into[at] = (c0 & LOW) | ((long) c1 << 32);
    into[at + 1] = (c2 & LOW) | ((long) c3 << 32);
  }

  @Test
  void theKnownAnswersOfRandom123Come() {
    assertBlock("6627e8d5 e169c58d bc57ac4c 9b00dbd8", 0, 0, 0);
    assertBlock("408f276d 41c83b0e a20bc7c6 6d5451fd", -1, -1, -1);
    assertBlock(
        "d16cfe09 94fdcceb 5001e420 24126ea1",
        0x85a308d3_243f6a88L,
        0x03707344_13198a2eL,
        0x299f31d0_a4093822L);
  }

  @Test
  void manyBlocksAreThoseThatAreMadeOneByOne() {
    long[] pair = new long[2];
    for (int count : new int[] {0, 1, 127, 128, 300}) {
      for (long low : new long[] {0, 0xFFFF_FFF0L, -5}) {
        long[] all = new long[Philox.RESULTS + 2 * count];
        Philox.blocks(low, 0x0370_7344_1319_8A2EL, 0x299F_31D0_A409_3822L, all, count);
        for (int i = 0; i < count; i++) {
          block(low + i, 0x0370_7344_1319_8A2EL, 0x299F_31D0_A409_3822L, pair, 0);
          assertArrayEquals(
              pair,
              Arrays.copyOfRange(all, Philox.RESULTS + 2 * i, Philox.RESULTS + 2 * i + 2),
              low + " + " + i);
        }
      }
    }
  }

  private static void assertBlock(String expected, long low, long high, long key) {
    long[] block = new long[2];
    block(low, high, key, block, 0);
    String words =
        "%08x %08x %08x %08x"
            .formatted((int) block[0], block[0] >>> 32, (int) block[1], block[1] >>> 32);
    assertEquals(expected, words);
  }

  @Test
  void anElementDoesNotDependOnHowTheStreamIsCut() {
    RandomStream stream = new RandomStream(42, 7);
    double[] whole = new double[101];
    stream.normals(0, whole, whole.length);
    for (int from = 0; from < 40; from++) {
      for (int count = 0; count < 9; count++) {
        double[] part = new double[count];
        stream.normals(from, part, count);
        assertArrayEquals(Arrays.copyOfRange(whole, from, from + count), part);
      }
    }
    long[] bits = new long[9];
    stream.bits(0, bits, 9);
    long[] tail = new long[4];
    stream.bits(3, tail, 4);
    assertArrayEquals(Arrays.copyOfRange(bits, 3, 7), tail);
  }

  @Test
  void streamsAndSeedsDiffer() {
    long[] all = new long[400];
    long[] one = new long[100];
    for (int i = 0; i < 4; i++) {
      new RandomStream(i / 2, i % 2).bits(0, one, 100);
      System.arraycopy(one, 0, all, 100 * i, 100);
    }
    assertEquals(400, Arrays.stream(all).distinct().count());
  }
}
