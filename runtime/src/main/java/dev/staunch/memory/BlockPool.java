package dev.staunch.memory;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap blocks by size class (M6; architecture, decision 3). Free blocks lie in stripes, so that
 * threads rarely contend. Blocks are cut from spans, and spans from slabs of up to 8 MiB. {@link
 * #trim} returns wholly free slabs to the system. Thread-safe.
 */
final class BlockPool implements Block.Pool {
  private static final int LARGEST_SLAB = (int) ((8L << 20) / Slab.PAGE);
  private static final int SMALLEST_SLAB = 8;
  private static final int MOST_STRIPES = 16;

  private final int stripes;

  /** The largest size in bytes for which blocks are cut from slabs. */
  private final long largestClass;

  private final AtomicReferenceArray<@Nullable FreeBlocks> free;
  private final AtomicLong reserved = new AtomicLong();
  private final LargeBlocks large;
  private final ReentrantLock lock = new ReentrantLock(); // slabs and spans
  private final List<Slab> slabs = new ArrayList<>();
  private long misses;
  private long trims;
  private int nextSlab = SMALLEST_SLAB;

  /**
   * @param guarded whether each block is an arena of its own, which is closed when the block is
   *     returned
   */
  BlockPool(long mostCached, boolean guarded) {
    int processors = Runtime.getRuntime().availableProcessors();
    int wanted = Math.min(MOST_STRIPES, processors);
    this.stripes = Integer.highestOneBit(Math.max(1, wanted * 2 - 1));
    this.free = new AtomicReferenceArray<>(stripes * SizeClasses.COUNT);
    this.largestClass = guarded ? -1 : SizeClasses.LARGEST;
    this.large = new LargeBlocks(guarded ? 0 : mostCached, guarded, reserved);
  }

  /** Bytes taken from the system: slabs and large blocks, in use or free. */
  long reservedBytes() {
    return reserved.get();
  }

  /** Bytes that {@link #takeNew} would take from the system now if it found no free block. */
  long bytesToReserve(long bytes) {
    return bytes > largestClass ? LargeBlocks.rounded(bytes) : nextSlab * Slab.PAGE;
  }

  /** A free block of at least {@code bytes} with undefined content, or null if there is none. */
  @Nullable Block takeFree(long bytes) {
    return bytes > largestClass ? large.takeCached(bytes) : find(SizeClasses.of(bytes));
  }

  /** As {@link #takeFree}, for blocks that are cut from slabs. */
  @Nullable Block takeSmall(long bytes) {
    return bytes < 0 || bytes > largestClass ? null : find(SizeClasses.of(bytes));
  }

  /**
   * A block of at least {@code bytes} from the system, with undefined content.
   *
   * @throws OutOfMemoryError if the system has no more
   */
  Block takeNew(long bytes) {
    return bytes > largestClass ? large.make(this, bytes) : refill(SizeClasses.of(bytes));
  }

  @Override
  public void give(Block block) {
    if (block.span == null) {
      large.give(block);
      return;
    }
    long thread = Thread.currentThread().threadId();
    FreeBlocks list = list(thread, block.sizeClass);
    if (!list.tryGive(block) && !list(thread ^ 1, block.sizeClass).tryGive(block)) {
      list.give(block);
    }
  }

  /** The list that the thread with this id searches first; the last bits select its stripe. */
  private FreeBlocks list(long thread, int sizeClass) {
    int at = ((int) thread & (stripes - 1)) * SizeClasses.COUNT + sizeClass;
    FreeBlocks list = free.getAcquire(at);
    return list != null ? list : made(at);
  }

  private FreeBlocks made(int at) {
    FreeBlocks fresh = new FreeBlocks();
    FreeBlocks seen = free.compareAndExchange(at, null, fresh);
    return seen == null ? fresh : seen;
  }

  private @Nullable Block find(int sizeClass) {
    long thread = Thread.currentThread().threadId();
    Block block = null;
    for (int i = 0; block == null && i < stripes; i++) {
      block = list(thread ^ i, sizeClass).tryTake();
    }
    return block;
  }

  private Block refill(int sizeClass) {
    lock.lock();
    try {
      Block found = find(sizeClass); // another thread may have come first
      if (found != null) {
        return found;
      }
      misses++;
      Span span = span(sizeClass);
      FreeBlocks list = list(Thread.currentThread().threadId(), sizeClass);
      for (int i = span.blocks() - 1; i > 0; i--) {
        list.give(Block.of(this, span, span.bytes(i)));
      }
      return Block.of(this, span, span.bytes(0));
    } finally {
      lock.unlock();
    }
  }

  private Span span(int sizeClass) {
    int pages = Span.pages(sizeClass);
    for (Slab slab : slabs) {
      int page = slab.take(pages);
      if (page >= 0) {
        return Span.of(slab, page, sizeClass);
      }
    }
    Slab slab = new Slab(Math.max(pages, nextSlab));
    nextSlab = Math.min(LARGEST_SLAB, nextSlab * 2);
    slabs.add(slab);
    reserved.addAndGet(slab.byteSize());
    return Span.of(slab, slab.take(pages), sizeClass);
  }

  /**
   * Returns wholly free slabs and all cached large blocks to the system.
   *
   * @return how many bytes that were
   */
  long trim() {
    long freed = large.trim();
    lock.lock();
    try {
      trims++;
      List<Block> loose = takeAllFree();
      loose.forEach(block -> spanOf(block).free = 0);
      loose.forEach(block -> spanOf(block).free++);
      Set<Span> whole = new LinkedHashSet<>();
      for (Block block : loose) {
        Span span = spanOf(block);
        if (span.free == span.blocks()) {
          whole.add(span);
        } else {
          list(Thread.currentThread().threadId(), block.sizeClass).give(block);
        }
      }
      whole.forEach(Span::letGo);
      return freed + unmapUnused();
    } finally {
      lock.unlock();
    }
  }

  private static Span spanOf(Block block) {
    return Objects.requireNonNull(block.span);
  }

  private List<Block> takeAllFree() {
    List<Block> all = new ArrayList<>();
    for (int i = 0; i < free.length(); i++) {
      FreeBlocks list = free.get(i);
      if (list != null) {
        all.addAll(List.of(list.takeAll()));
      }
    }
    return all;
  }

  private long unmapUnused() {
    long freed = 0;
    for (Slab slab : List.copyOf(slabs)) {
      if (slab.isUnused() && slab.unmap()) {
        slabs.remove(slab);
        freed += slab.byteSize();
      }
    }
    if (slabs.isEmpty()) {
      nextSlab = SMALLEST_SLAB;
    }
    reserved.addAndGet(-freed);
    return freed;
  }

  /**
   * Free bytes by block size; those of blocks above the largest class under {@link Long#MAX_VALUE}.
   */
  SortedMap<Long, Long> freeBytes() {
    SortedMap<Long, Long> bytes = new TreeMap<>();
    for (int i = 0; i < free.length(); i++) {
      FreeBlocks list = free.get(i);
      long size = SizeClasses.bytes(i % SizeClasses.COUNT);
      long held = list == null ? 0 : list.size() * size;
      if (held > 0) {
        bytes.merge(size, held, Long::sum);
      }
    }
    if (large.cachedBytes() > 0) {
      bytes.put(Long.MAX_VALUE, large.cachedBytes());
    }
    return bytes;
  }

  /** How often a free block was found. */
  long hits() {
    long sum = large.hits();
    for (int i = 0; i < free.length(); i++) {
      FreeBlocks list = free.get(i);
      sum += list == null ? 0 : list.hits();
    }
    return sum;
  }

  /** How often memory had to be cut from a slab or taken from the system. */
  long misses() {
    lock.lock();
    try {
      return misses + large.misses();
    } finally {
      lock.unlock();
    }
  }

  long trims() {
    lock.lock();
    try {
      return trims;
    } finally {
      lock.unlock();
    }
  }
}
