package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The least of the unsigned numbers offered to it, as many as it has room for: a heap with the
 * greatest of them at the root. For one thread.
 */
final class LeastEntries {
  /** Signed, in the order of the unsigned ones. */
  private final long[] heap;

  private int size;

  LeastEntries(int most) {
    this.heap = new long[most];
  }

  boolean isFull() {
    return size == heap.length;
  }

  /** The greatest of the numbers, if there is no room for more. */
  long greatest() {
    return heap[0] ^ Long.MIN_VALUE;
  }

  void offer(long entry) {
    long key = entry ^ Long.MIN_VALUE;
    if (size < heap.length) {
      heap[size++] = key;
      if (size == heap.length) {
        for (int i = size / 2 - 1; i >= 0; i--) {
          sink(i, heap[i]);
        }
      }
    } else if (key < heap[0]) {
      sink(0, key);
    }
  }

  /** Replaces the entry at {@code i} by {@code key} and moves that down to its place. */
  private void sink(int i, long key) {
    int at = i;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      int greater = child + 1 < size && heap[child + 1] > heap[child] ? child + 1 : child;
      if (heap[greater] <= key) {
        break;
      }
      heap[at] = heap[greater];
      at = greater;
    }
    heap[at] = key;
  }

  /** Writes the numbers in ascending order; no more can be offered after that. */
  void store(MemorySegment into) {
    Arrays.sort(heap, 0, size);
    for (int i = 0; i < size; i++) {
      into.setAtIndex(JAVA_LONG, i, heap[i] ^ Long.MIN_VALUE);
    }
  }
}
