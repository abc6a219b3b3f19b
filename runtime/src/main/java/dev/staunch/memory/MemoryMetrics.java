package dev.staunch.memory;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of an {@link OffHeap}, read at one moment; counts begin at its creation.
 *
 * @param heldBytes held by tensors
 * @param peakBytes the most held at once
 * @param budgetBytes the most that may be held
 * @param reservedBytes taken from the system, free blocks of the pool included
 * @param pooledBytes free bytes of the pool by block size; blocks over 4 MiB under {@link
 *     Long#MAX_VALUE}
 * @param mappedBytes of mapped files, outside the budget
 * @param creations resources created
 * @param freedExplicitly resources closed one by one
 * @param freedByScope resources closed by their scope
 * @param freedByReaper resources that became unreachable without being closed
 * @param poolHits allocations served from a free block
 * @param poolMisses allocations that needed new memory
 * @param leaks resources that were not closed in time, counted whether or not they are reported
 * @param collectionsRequested collections requested from the JVM
 * @param trims how often the pool returned free memory
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
    long collectionsRequested,
    long trims,
    long refusals) {

  public MemoryMetrics {
    pooledBytes = Collections.unmodifiableSortedMap(new TreeMap<>(pooledBytes));
  }

  /** The pool's free bytes of all block sizes together. */
  public long pooledBytesTotal() {
    return pooledBytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
