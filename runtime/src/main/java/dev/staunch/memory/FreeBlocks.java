package dev.staunch.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stack of free blocks of one class. Its lock is one compare-and-set to take and one store to
 * release, is held for a few instructions, and blocks no thread: a thread that finds it taken goes
 * elsewhere, or spins if it must have this stack.
 */
final class FreeBlocks {
  private static final int SPINS = 64;
  private static final VarHandle LOCKED =
      fieldVarHandle(
          MethodHandles.lookup(), "locked", VarHandle.class, FreeBlocks.class, boolean.class);

  @SuppressWarnings("UnusedVariable") // read through the handle
  private boolean locked;

  private int size;
  private long hits;
  private Block[] blocks = new Block[8];

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on this but how soon the lock is free
  private void lock() {
    for (int spins = 1; !LOCKED.compareAndSet(this, false, true); spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // the holder may have been descheduled
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void unlock() {
    LOCKED.setRelease(this, false);
  }

  /** A free block; null if there is none or another thread has the lock. */
  @Nullable Block tryTake() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      return null;
    }
    Block block = null;
    if (size > 0) {
      block = blocks[--size];
      hits++;
    }
    LOCKED.setRelease(this, false);
    return block;
  }

  boolean tryGive(Block block) {
    if (!LOCKED.compareAndSet(this, false, true)) {
      return false;
    }
    pushAndUnlock(block);
    return true;
  }

  void give(Block block) {
    lock();
    pushAndUnlock(block);
  }

  private void pushAndUnlock(Block block) {
    try {
      if (size == blocks.length) {
        blocks = Arrays.copyOf(blocks, size * 2); // may find no room on the heap
      }
      blocks[size++] = block;
    } finally {
      LOCKED.setRelease(this, false);
    }
  }

  /** Takes all blocks out. */
  Block[] takeAll() {
    Block[] empty = new Block[8];
    lock();
    Block[] all = blocks;
    int count = size;
    blocks = empty;
    size = 0;
    unlock();
    return Arrays.copyOf(all, count);
  }

  /** The number of blocks in this stack. */
  int size() {
    lock();
    int now = size;
    unlock();
    return now;
  }

  /** How often a block was found here. */
  long hits() {
    lock();
    long now = hits;
    unlock();
    return now;
  }
}
