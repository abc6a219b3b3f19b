package dev.staunch.data;

import dev.staunch.fault.Fault;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where batches come from: a reader of files, a generator. Asked by one thread at a time, not
 * always the same; it may block. It should heed {@link Thread#interrupt}, which is how a {@link
 * Prefetcher} that closes gets its thread back.
 *
 * <p>Bad data is no exception but an {@link Item.Bad}, which should name file, row, column, the
 * text, and what was expected. Whatever a source throws all the same becomes a fault that names the
 * source and the batch.
 *
 * @param <B> the batches
 */
public interface Source<B extends Batch> extends AutoCloseable {
  /** How messages and threads name this, such as {@code train.csv}; always the same. */
  String name();

  /**
   * The next batch, which the caller then owns, a fault in its place, or the end. After a fault the
   * next call gives what follows the bad data, or the end where nothing can be made of it; whoever
   * does not want to go on does not ask.
   *
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  Item<B> next() throws IOException, InterruptedException;

  /**
   * Goes back to the first batch, from any place, also after a fault or a reset that failed. Null,
   * or a fault if that is not possible, now or at all; then the next thing asked is another reset
   * or a close.
   *
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  @Nullable Fault reset() throws IOException, InterruptedException;

  /**
   * Ends it; called once, as the last thing.
   *
   * @throws IOException if something cannot be given back
   */
  @Override
  void close() throws IOException;
}
