package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Copies evenly spaced elements, or one again and again, to contiguous positions through an array:
 * a loop over segments is a hundred times slower until it is compiled. For one thread.
 */
final class StridedCopy {
  private static final int TILE = 1024;

  private final int[] ints;
  private final long[] longs;

  /**
   * @param dtype of four or eight bytes
   */
  StridedCopy(DType dtype) {
    boolean wide = dtype.bytes() == Long.BYTES;
    this.ints = new int[wide ? 0 : TILE];
    this.longs = new long[wide ? TILE : 0];
  }

  /**
   * Copies up to {@code count} elements, {@code step} apart; positions count elements.
   *
   * @return the number of elements copied
   */
  int copy(MemorySegment from, long at, int step, int count, MemorySegment into, long to) {
    int many = step == 0 ? Math.min(count, TILE) : Math.min(count, (TILE - 1) / step + 1);
    int span = (many - 1) * step + 1;
    if (ints.length > 0) {
      MemorySegment.copy(from, JAVA_INT, at * Integer.BYTES, ints, 0, span);
      gather(ints, step, many);
      MemorySegment.copy(ints, 0, into, JAVA_INT, to * Integer.BYTES, many);
    } else {
      MemorySegment.copy(from, JAVA_LONG, at * Long.BYTES, longs, 0, span);
      gather(longs, step, many);
      MemorySegment.copy(longs, 0, into, JAVA_LONG, to * Long.BYTES, many);
    }
    return many;
  }

  private static void gather(int[] elements, int step, int count) {
    if (step == 0) {
      Arrays.fill(elements, 1, count, elements[0]);
      return;
    }
    for (int i = 1; i < count; i++) {
      elements[i] = elements[i * step];
    }
  }

  private static void gather(long[] elements, int step, int count) {
    if (step == 0) {
      Arrays.fill(elements, 1, count, elements[0]);
      return;
    }
    for (int i = 1; i < count; i++) {
      elements[i] = elements[i * step];
    }
  }
}
