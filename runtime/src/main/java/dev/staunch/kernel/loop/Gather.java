package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Copies elements from wherever they lie to a row without gaps. Those of four or eight bytes that
 * lie near each other are read with all that is between them, and pass through arrays: a loop over
 * segments is a hundred times slower until it is compiled. For one thread.
 */
public final class Gather {
  /** Elements that are written at a time. */
  private static final int TILE = 256;

  /** As many times as many elements are read for a tile at most. */
  private static final int SPREAD = 4;

  private final MemorySegment from;
  private final MemorySegment into;
  private final int bytes;
  private final int[] ints;
  private final int[] nearInts;
  private final long[] longs;
  private final long[] nearLongs;

  /**
   * @param bytes of an element
   * @param most how many elements are copied, or more
   */
  public Gather(MemorySegment from, MemorySegment into, int bytes, long most) {
    this.from = from;
    this.into = into;
    this.bytes = bytes;
    int tile = (int) Math.min(TILE, most);
    this.ints = new int[bytes == Integer.BYTES ? tile : 0];
    this.nearInts = new int[SPREAD * ints.length];
    this.longs = new long[bytes == Long.BYTES ? tile : 0];
    this.nearLongs = new long[SPREAD * longs.length];
  }

  /** Copies the elements at {@code count} places, which count elements, to {@code to} and on. */
  public void copy(long[] places, int count, long to) {
    if (bytes != Integer.BYTES && bytes != Long.BYTES) {
      for (int i = 0; i < count; i++) {
        Copying.element(from, places[i], into, to + i, bytes);
      }
      return;
    }
    int tile = Math.max(ints.length, longs.length);
    for (int done = 0; done < count; done += tile) {
      int part = Math.min(tile, count - done);
      if (bytes == Integer.BYTES) {
        copyInts(places, done, part, to + done);
      } else {
        copyLongs(places, done, part, to + done);
      }
    }
  }

  private void copyInts(long[] places, int first, int count, long to) {
    long least = least(places, first, count);
    long span = greatest(places, first, count) - least + 1;
    if (span <= nearInts.length) {
      MemorySegment.copy(from, JAVA_INT, least * Integer.BYTES, nearInts, 0, (int) span);
      for (int i = 0; i < count; i++) {
        ints[i] = nearInts[(int) (places[first + i] - least)];
      }
    } else {
      for (int i = 0; i < count; i++) {
        ints[i] = from.getAtIndex(JAVA_INT, places[first + i]);
      }
    }
    MemorySegment.copy(ints, 0, into, JAVA_INT, to * Integer.BYTES, count);
  }

  private void copyLongs(long[] places, int first, int count, long to) {
    long least = least(places, first, count);
    long span = greatest(places, first, count) - least + 1;
    if (span <= nearLongs.length) {
      MemorySegment.copy(from, JAVA_LONG, least * Long.BYTES, nearLongs, 0, (int) span);
      for (int i = 0; i < count; i++) {
        longs[i] = nearLongs[(int) (places[first + i] - least)];
      }
    } else {
      for (int i = 0; i < count; i++) {
        longs[i] = from.getAtIndex(JAVA_LONG, places[first + i]);
      }
    }
    MemorySegment.copy(longs, 0, into, JAVA_LONG, to * Long.BYTES, count);
  }

  private static long least(long[] places, int first, int count) {
    long least = places[first];
    for (int i = 1; i < count; i++) {
      least = Math.min(least, places[first + i]);
    }
    return least;
  }

  private static long greatest(long[] places, int first, int count) {
    long most = places[first];
    for (int i = 1; i < count; i++) {
      most = Math.max(most, places[first + i]);
    }
    return most;
  }
}
