package dev.staunch.memory;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an {@link OffHeap} shows of itself, read at one moment; counts run from its making.
 *
 * @param heldBytes held by tensors
 * @param peakBytes the most held at once
 * @param budgetBytes the most that may be held
 * @param reservedBytes taken from the system, free blocks of the pool included
 * @param pooledBytes free bytes of the pool by block size; blocks over 4 MiB under {@link
 *     Long#MAX_VALUE}
 * @param mappedBytes of files in memory, outside of the budget
 * @param creations resources made
 * @param freedExplicitly resources closed one by one
 * @param freedByScope resources closed by their scope
 * @param freedByReaper resources that became unreachable unclosed
 * @param poolHits allocations served from a free block
 * @param poolMisses allocations that cut new memory
 * @param leaks resources that nobody closed in time, counted whether or not they are reported
 * @param collectionsAsked collections asked of the JVM
 * @param trims times the pool gave free memory back
 * @param refusals allocations that became an out-of-memory fault
 */
public record MemoryMetrics(
    long heldBytes,
    long peakBytes,
    long budgetBytes,
    long reservedBytes,
    SortedMap<Long, Long> pooledBytes,
    long mappedBytes,
    long creations,
    long freedExplicitly,
    long freedByScope,
    long freedByReaper,
    long poolHits,
    long poolMisses,
    long leaks,
    long collectionsAsked,
    long trims,
    long refusals) {

  public MemoryMetrics {
    pooledBytes = Collections.unmodifiableSortedMap(new TreeMap<>(pooledBytes));
  }

  /** Free bytes of the pool, all sizes together. */
  public long pooledBytesTotal() {
    return pooledBytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
