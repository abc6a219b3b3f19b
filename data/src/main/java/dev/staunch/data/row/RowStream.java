package dev.staunch.data.row;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Examples in order, in runs. Called by one thread at a time, that of a {@code Source} or of
 * another stream.
 */
public interface RowStream extends AutoCloseable {
  List<Field> fields();

  /**
   * Returns the next run, which is never empty; null at the end. The run belongs to this stream and
   * is valid until the next call.
   *
   * @throws IOException if the data cannot be read at all; a problem at one place is a fault in the
   *     rows
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  @Nullable Rows next() throws IOException, InterruptedException;

  /**
   * Goes to the first example of an epoch, from any place.
   *
   * @param epoch counted from 0; random choices depend on it
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  void restart(long epoch) throws IOException, InterruptedException;

  /** How many bytes of input have been read so far, over all epochs. */
  default long bytesRead() {
    return 0;
  }

  /**
   * @throws IOException if a resource cannot be released
   */
  @Override
  void close() throws IOException;
}
