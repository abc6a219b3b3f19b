package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * The loops of casts between float32 and a narrower dtype, over rows without gaps. Positions count
 * elements. All sets give the same bits.
 */
public interface RowCast {

  /** Casts {@code count} narrow elements to float32. */
  void widen(MemorySegment from, long at, MemorySegment into, long to, int count);

  /** Rounds {@code count} float32 elements to the nearest narrow value, ties to even. */
  void narrow(MemorySegment from, long at, MemorySegment into, long to, int count);
}
