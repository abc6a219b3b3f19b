package dev.staunch.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stack of free blocks of one class. Who finds it locked goes elsewhere, or spins if it must have
 * this stack.
 */
final class FreeBlocks extends Latch {
  private int size;
  private long hits;
  private Block[] blocks = new Block[8];

  /** A free block, or null if there is none or another thread is here. */
  @Nullable Block tryTake() {
    if (!tryLock()) {
      return null;
    }
    Block block = null;
    if (size > 0) {
      block = blocks[--size];
      hits++;
    }
    unlock();
    return block;
  }

  boolean tryGive(Block block) {
    if (!tryLock()) {
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
      unlock();
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
