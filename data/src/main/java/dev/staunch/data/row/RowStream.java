package dev.staunch.data.row;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Examples in order, in runs. Asked by one thread at a time, a {@code Source}'s or another
 * stream's.
 */
public interface RowStream extends AutoCloseable {
  List<Field> fields();

  /**
   * The next run, never empty; null at the end. It stays this stream's and is valid until the next
   * call.
   *
   * @throws IOException if the data cannot be read at all; what is wrong at one place is a fault in
   *     the rows
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  @Nullable Rows next() throws IOException, InterruptedException;

  /**
   * Goes to the first example of an epoch, from any place.
   *
   * @param epoch counted from 0; what is drawn at random is drawn for it
   * @throws IOException if the data cannot be read
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  void restart(long epoch) throws IOException, InterruptedException;

  /** How many bytes of input were read so far, of all epochs. */
  default long bytesRead() {
    return 0;
  }

  /**
   * @throws IOException if something cannot be given back
   */
  @Override
  void close() throws IOException;
}
