package dev.staunch.data.row;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream that can begin in the middle of an epoch. */
public interface SeekableRows extends RowStream {
  /** Where the rows returned last begin; null if the stream cannot begin there. */
  @Nullable Mark mark();

  /**
   * Goes to a mark of an epoch; the rows at that mark come next.
   *
   * @throws IOException if the data cannot be read, or has changed
   * @throws InterruptedException if the thread was interrupted because the caller gave up
   */
  void restart(long epoch, Mark mark) throws IOException, InterruptedException;
}
