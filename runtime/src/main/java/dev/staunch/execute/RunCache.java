package dev.staunch.execute;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a plan that wait for their next request, a few for each processor. A run is taken by one
 * thread only; there is no lock, and no thread waits.
 */
final class RunCache {
  private static final int TRIES = 2;

  private final AtomicReferenceArray<@Nullable Run> slots;

  RunCache() {
    this(Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1) * 2);
  }

  /** With {@code size} slots, a power of two. */
  RunCache(int size) {
    slots = new AtomicReferenceArray<>(size);
  }

  /** A free run, or null. */
  @Nullable Run take() {
    for (int i = 0; i < TRIES; i++) {
      int slot = slot(i);
      if (slots.get(slot) != null) {
        Run run = slots.getAndSet(slot, null);
        if (run != null) {
          return run;
        }
      }
    }
    return null;
  }

  /** Keeps {@code run} for a later request, or drops it if there are enough. */
  void give(Run run) {
    for (int i = 0; i < TRIES; i++) {
      if (slots.compareAndSet(slot(i), null, run)) {
        return;
      }
    }
  }

  /** Each thread begins at a slot of its own, and retries somewhere else. */
  private int slot(int attempt) {
    return ((int) Thread.currentThread().threadId() + attempt * 3) & (slots.length() - 1);
  }
}
