package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import java.io.IOException;

/** Reads raw parts in order; used by one thread at a time. */
public interface PartReader extends AutoCloseable {
  /**
   * Reads the next part.
   *
   * @return false at the end; the contents of the part are then undefined
   * @throws IOException if nothing can be read at all; damage is reported as the part's {@linkplain
   *     Part#trouble trouble}
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  boolean next(Part part) throws IOException, InterruptedException;

  /** Goes to the first part of an epoch. */
  void restart(long epoch) throws IOException;

  /**
   * Goes to the part of an epoch that had this {@linkplain Part#mark mark}.
   *
   * @throws IOException if the data cannot be read, or has changed
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  void restart(long epoch, Mark mark) throws IOException, InterruptedException;

  /** How many bytes have been read so far. */
  long bytesRead();

  @Override
  void close() throws IOException;
}
