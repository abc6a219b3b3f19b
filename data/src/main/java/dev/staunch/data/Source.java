package dev.staunch.data;

import dev.staunch.fault.Fault;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Produces batches, for example by reading files or generating data. Called by one thread at a
 * time, not always the same one; it may block. It should respond to {@link Thread#interrupt},
 * because a {@link Prefetcher} uses that to stop its thread when it closes.
 *
 * <p>Bad data is reported as an {@link Item.Bad}, not as an exception. The fault should name the
 * file, row, column, text, and what was expected. Anything that a source throws becomes a fault
 * that names the source and the batch.
 *
 * @param <B> the type of the batches
 */
public interface Source<B extends Batch> extends AutoCloseable {
  /** The name used in messages and thread names, such as {@code train.csv}; always the same. */
  String name();

  /**
   * Returns the next batch, which the caller then owns, a fault in its place, or the end. After a
   * fault, the next call returns what follows the bad data, or the end if the rest is unusable. A
   * caller that wants to stop at a fault makes no further call.
   *
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  Item<B> next() throws IOException, InterruptedException;

  /**
   * Goes back to the first batch, from any place, even after a fault or a failed reset. Returns
   * null, or a fault if that is not possible, now or at all; the next call is then another reset or
   * a close.
   *
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  @Nullable Fault reset() throws IOException, InterruptedException;

  /**
   * Releases the source; called once, as the last call.
   *
   * @throws IOException if a resource cannot be released
   */
  @Override
  void close() throws IOException;
}
