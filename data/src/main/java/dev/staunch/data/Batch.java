package dev.staunch.data;

/**
 * The data of one training step. A batch has one owner at a time: the {@link Source} that made it
 * until it returns it, then the {@link Prefetcher} until a caller takes it, then that caller. The
 * owner closes it. Reuse needs nothing more: the blocks of its tensors return to the memory's pool.
 */
public interface Batch extends AutoCloseable {
  /**
   * The off-heap and other large memory that this batch holds, in bytes; not negative. Called once.
   */
  long bytes();

  /** Releases the batch's memory. Idempotent; may be called on any thread; does not block. */
  @Override
  void close();
}
