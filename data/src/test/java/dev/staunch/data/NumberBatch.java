package dev.staunch.data;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;

/** A batch that holds off-heap bytes, in a tensor, and knows its number and epoch. */
record NumberBatch(long epoch, long number, long bytes, ResourceScope scope, DenseTensor content)
    implements Batch {
  @Override
  public void close() {
    scope.close();
  }
}
