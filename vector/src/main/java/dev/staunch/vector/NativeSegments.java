package dev.staunch.vector;

import java.lang.foreign.MemorySegment;

/**
 * What kernels take: segments that are not on the heap. To say so at the head of a loop makes it up
 * to twice as fast. The Vector API reinterprets vectors by way of an array as long as that is not
 * compiled; for HotSpot, which goes by what a method of the JDK has met anywhere in the process,
 * each store might then be one to the heap, unless the segment's class is known from before.
 */
final class NativeSegments {
  private NativeSegments() {}

  /** Throws if {@code segment} is on the heap. */
  static void require(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException("a kernel was given a segment on the heap");
    }
  }

  /** As {@link #require(MemorySegment)}, for both. */
  static void require(MemorySegment segment, MemorySegment other) {
    require(segment);
    require(other);
  }
}
