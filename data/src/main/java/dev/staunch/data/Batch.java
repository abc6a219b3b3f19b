package dev.staunch.data;

/**
 * What a training step takes at once. Has one owner at a time: the {@link Source} that made it
 * until it returns it, then the {@link Prefetcher} until somebody takes it, then whoever took it.
 * The owner closes it, which is all that reuse needs: the blocks of its tensors go back to the
 * memory's pool.
 */
public interface Batch extends AutoCloseable {
  /** The off-heap and other large memory this holds, in bytes; not negative. Asked once. */
  long bytes();

  /** Gives its memory back. Idempotent; allowed on any thread; does not wait. */
  @Override
  void close();
}
