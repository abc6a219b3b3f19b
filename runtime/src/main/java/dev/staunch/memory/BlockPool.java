package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap blocks by size class, cut from slabs that are never unmapped (architecture, decision 3).
 *
 * <p>Classes are powers of two from 64 bytes to 4 MiB; each has its own lock and its own stack of
 * free blocks. A larger block gets an arena of its own and goes back to the system when released,
 * so that one huge request does not stay resident. Thread-safe.
 */
final class BlockPool {
  static final int ALIGNMENT = 64;
  private static final int SMALLEST_SHIFT = 6;
  private static final int LARGEST_SHIFT = 22;
  private static final long SLAB_BYTES = 1L << 23;

  /** A piece of memory for one storage; {@code arena} is set when it is not pooled. */
  record Block(MemorySegment segment, int sizeClass, @Nullable Arena arena) {}

  private static final class FreeList {
    final ReentrantLock lock = new ReentrantLock();
    Block[] blocks = new Block[16];
    int size;

    void push(Block block) {
      if (size == blocks.length) {
        blocks = java.util.Arrays.copyOf(blocks, size * 2);
      }
      blocks[size++] = block;
    }
  }

  private final FreeList[] classes = new FreeList[LARGEST_SHIFT - SMALLEST_SHIFT + 1];
  private final AtomicLong reserved = new AtomicLong();

  BlockPool() {
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new FreeList();
    }
  }

  /** Bytes taken from the system: slabs, whether in use or free, and unpooled blocks. */
  long reservedBytes() {
    return reserved.get();
  }

  /**
   * A block of at least {@code bytes}, its content undefined.
   *
   * @throws OutOfMemoryError if the system has no more
   */
  Block take(long bytes) {
    if (bytes > 1L << LARGEST_SHIFT) {
      Arena arena = Arena.ofShared();
      reserved.addAndGet(bytes);
      return new Block(arena.allocate(bytes, ALIGNMENT), -1, arena);
    }
    int sizeClass = sizeClass(bytes);
    FreeList list = classes[sizeClass];
    list.lock.lock();
    try {
      if (list.size == 0) {
        refill(list, sizeClass);
      }
      return list.blocks[--list.size];
    } finally {
      list.lock.unlock();
    }
  }

  void give(Block block) {
    if (block.arena() != null) {
      reserved.addAndGet(-block.segment().byteSize());
      block.arena().close();
      return;
    }
    FreeList list = classes[block.sizeClass()];
    list.lock.lock();
    try {
      list.push(block);
    } finally {
      list.lock.unlock();
    }
  }

  private static int sizeClass(long bytes) {
    int shift = 64 - Long.numberOfLeadingZeros(Math.max(bytes, 1) - 1);
    return Math.max(0, shift - SMALLEST_SHIFT);
  }

  private void refill(FreeList list, int sizeClass) {
    long blockBytes = 1L << (sizeClass + SMALLEST_SHIFT);
    long slabBytes = Math.clamp(blockBytes * 64, 1L << 16, SLAB_BYTES);
    MemorySegment slab = Arena.global().allocate(slabBytes, ALIGNMENT);
    reserved.addAndGet(slabBytes);
    for (long at = slabBytes - blockBytes; at >= 0; at -= blockBytes) {
      list.push(new Block(slab.asSlice(at, blockBytes), sizeClass, null));
    }
  }
}
