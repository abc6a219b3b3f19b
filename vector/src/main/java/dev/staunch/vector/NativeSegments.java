package dev.staunch.vector;

import java.lang.foreign.MemorySegment;

/**
 * Requires segments that are not on the heap, nor in a mapped file, whose pages may be gone, which
 * would end the process. Checking this before a loop makes the loop up to twice as fast. Until it
 * is compiled, the Vector API reinterprets vectors by way of an array. HotSpot bases its
 * assumptions on what a JDK method has met anywhere in the process, so every store could be one to
 * the heap unless the segment's class is already known.
 */
final class NativeSegments {
  private NativeSegments() {}

  /** Throws if {@code segment} is on the heap or in a file. */
  static void require(MemorySegment segment) {
    if (!segment.isNative() || segment.isMapped()) {
      throw new IllegalArgumentException("a kernel was given a segment on the heap or in a file");
    }
  }

  /** Like {@link #require(MemorySegment)}, for both segments. */
  static void require(MemorySegment segment, MemorySegment other) {
    require(segment);
    require(other);
  }
}
