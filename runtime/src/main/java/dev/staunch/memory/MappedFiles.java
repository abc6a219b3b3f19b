package dev.staunch.memory;

import java.lang.foreign.Arena;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The mapped files of one off-heap memory: their number of bytes, and the mappings still to be
 * unmapped.
 */
final class MappedFiles {
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentLinkedQueue<Arena> toClose = new ConcurrentLinkedQueue<>();

  long bytes() {
    return bytes.get();
  }

  /** Counts mapped bytes, or unmapped ones if negative. */
  void count(long change) {
    bytes.addAndGet(change);
  }

  /** For an arena that a system call is using at the moment. */
  void closeLater(Arena arena) {
    toClose.add(arena);
  }

  void closeDue() {
    toClose.removeIf(Arenas::close);
  }
}
