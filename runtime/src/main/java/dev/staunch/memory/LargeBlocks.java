package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Blocks above the largest class, each in an arena of its own. Freed blocks are kept by rounded
 * size up to a cap, because an arena costs tens of microseconds and its pages are zeroed.
 * Thread-safe.
 */
final class LargeBlocks {
  /** The fill of a guarded block before its use: NaN in every floating type. */
  private static final byte FRESH = (byte) 0xFF;

  /** The fill after its use. */
  private static final byte GONE = (byte) 0xA5;

  private final long mostCached;
  private final boolean guarded;
  private final AtomicLong reserved;
  private final TreeMap<Long, ArrayDeque<Block>> cache = new TreeMap<>(); // guarded by this
  private long cachedBytes;
  private long hits;
  private long misses;

  LargeBlocks(long mostCached, boolean guarded, AtomicLong reserved) {
    this.mostCached = mostCached;
    this.guarded = guarded;
    this.reserved = reserved;
  }

  /** {@code bytes} rounded up by at most an eighth. */
  static long rounded(long bytes) {
    long step = Math.max(SizeClasses.ALIGNMENT, Long.highestOneBit(bytes) >>> 3);
    return bytes > Long.MAX_VALUE - step ? bytes : Math.ceilDiv(bytes, step) * step;
  }

  /** A kept block that fits without wasting more than a quarter, or null. */
  synchronized @Nullable Block takeCached(long bytes) {
    if (guarded) {
      misses++;
      return null;
    }
    long size = rounded(bytes);
    Map.Entry<Long, ArrayDeque<Block>> entry = cache.ceilingEntry(size);
    if (entry == null || entry.getKey() > size + size / 4) {
      misses++;
      return null;
    }
    Block block = entry.getValue().removeLast();
    if (entry.getValue().isEmpty()) {
      cache.remove(entry.getKey());
    }
    cachedBytes -= block.byteSize();
    hits++;
    return block;
  }

  /**
   * @throws OutOfMemoryError if the system has no more
   */
  Block make(Block.Pool pool, long bytes) {
    long size = rounded(bytes);
    Arena arena = Arena.ofShared();
    boolean made = false;
    reserved.addAndGet(size); // counted before it exists
    try {
      Block block = Block.large(pool, arena.allocate(size, SizeClasses.ALIGNMENT), arena);
      if (guarded) {
        block.segment.fill(FRESH);
      }
      made = true;
      return block;
    } finally {
      if (!made) {
        arena.close();
        reserved.addAndGet(-size);
      }
    }
  }

  void give(Block block) {
    if (guarded) {
      block.segment.fill(GONE);
      unmap(block);
      return;
    }
    synchronized (this) {
      if (cachedBytes + block.byteSize() <= mostCached) {
        keep(block);
        return;
      }
    }
    unmap(block);
  }

  private synchronized void keep(Block block) {
    cache.computeIfAbsent(block.byteSize(), size -> new ArrayDeque<>()).addLast(block);
    cachedBytes += block.byteSize();
  }

  private long unmap(Block block) {
    Arena arena = block.arena;
    if (arena == null || !Arenas.close(arena)) {
      keep(block); // a system call still uses it although it was freed: try again at the next trim
      return 0;
    }
    reserved.addAndGet(-block.byteSize());
    return block.byteSize();
  }

  /** Returns all kept blocks to the system; returns how many bytes that were. */
  long trim() {
    ArrayDeque<Block> all = new ArrayDeque<>();
    synchronized (this) {
      for (Iterator<ArrayDeque<Block>> sizes = cache.values().iterator(); sizes.hasNext(); ) {
        all.addAll(sizes.next());
        sizes.remove();
      }
      cachedBytes = 0;
    }
    long freed = 0;
    for (Block block : all) {
      freed += unmap(block);
    }
    return freed;
  }

  synchronized long cachedBytes() {
    return cachedBytes;
  }

  synchronized long hits() {
    return hits;
  }

  synchronized long misses() {
    return misses;
  }
}
