package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stack of free blocks of one class. Its lock is one compare-and-set to take and a store to let
 * go, is held for a few instructions, and nobody waits for it: who finds it taken goes elsewhere,
 * or spins if it must have this stack.
 */
final class FreeBlocks {
  private static final int SPINS = 64;
  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(FreeBlocks.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // read through the handle
  private boolean locked;

  private int size;
  private long hits;
  private Block[] blocks = new Block[8];

  private boolean tryLock() {
    return LOCKED.compareAndSet(this, false, true);
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but how soon the lock is free
  private void lock() {
    for (int spins = 1; !tryLock(); spins++) {
      if (spins % SPINS == 0) {
        Thread.yield(); // its holder may have lost its processor
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void unlock() {
    LOCKED.setRelease(this, false);
  }

  /** A free block, or null if there is none or another thread is here. */
  @Nullable Block tryTake() {
    if (!tryLock()) {
      return null;
    }
    Block block = null;
    int last = size - 1;
    if (last >= 0) {
      block = blocks[last];
      size = last;
      hits++;
    }
    unlock();
    return block;
  }

  boolean tryGive(Block block) {
    if (!tryLock()) {
      return false;
    }
    push(block);
    unlock();
    return true;
  }

  void give(Block block) {
    lock();
    push(block);
    unlock();
  }

  private void push(Block block) {
    if (size == blocks.length) {
      try {
        blocks = Arrays.copyOf(blocks, size * 2);
      } catch (OutOfMemoryError e) {
        unlock();
        throw e;
      }
    }
    blocks[size++] = block;
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

  /** Blocks that lie here. */
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
