package dev.staunch.data;

import dev.staunch.memory.ResourceScope;

/** A batch that holds off-heap bytes and knows its number and epoch. */
record NumberBatch(long epoch, long number, long bytes, ResourceScope scope) implements Batch {
  @Override
  public void close() {
    scope.close();
  }
}
