package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import java.io.IOException;

/** Reads raw parts in order; used by one thread at a time. */
public interface PartReader extends AutoCloseable {
  /**
   * Reads the next part.
   *
   * @return false, and the part means nothing, at the end
   * @throws IOException if nothing can be read at all; damage is the part's {@linkplain
   *     Part#trouble trouble}
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  boolean next(Part part) throws IOException, InterruptedException;

  /** Goes to the first part of an epoch. */
  void restart(long epoch) throws IOException;

  /**
   * Goes to a part of an epoch that had this {@linkplain Part#mark mark}.
   *
   * @throws IOException if the data cannot be read, or are not what they were
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  void restart(long epoch, Mark mark) throws IOException, InterruptedException;

  /** How many bytes were read so far. */
  long bytesRead();

  @Override
  void close() throws IOException;
}
