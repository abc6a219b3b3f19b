package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** Pages taken from the system in one piece. Used under the lock of {@link BlockPool}. */
final class Slab {
  static final long PAGE = 64L << 10;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final BitSet used = new BitSet();
  private final int pages;

  /**
   * @throws OutOfMemoryError if the system has no more
   */
  Slab(int pages) {
    this.pages = pages;
    this.segment = arena.allocate(pages * PAGE, SizeClasses.ALIGNMENT);
  }

  MemorySegment segment() {
    return segment;
  }

  long byteSize() {
    return pages * PAGE;
  }

  /**
   * The first of {@code count} consecutive pages that are now in use, or -1 if there is no room.
   */
  int take(int count) {
    int from = used.nextClearBit(0);
    while (from + count <= pages) {
      int end = used.nextSetBit(from);
      if (end < 0 || end - from >= count) {
        used.set(from, from + count);
        return from;
      }
      from = used.nextClearBit(end);
    }
    return -1;
  }

  void free(int from, int count) {
    used.clear(from, from + count);
  }

  boolean isUnused() {
    return used.isEmpty();
  }

  /** Returns the pages to the system; false if a thread is in the middle of using them. */
  boolean unmap() {
    return Arenas.close(arena);
  }
}
