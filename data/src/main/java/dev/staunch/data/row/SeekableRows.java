package dev.staunch.data.row;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream that can begin in the midst of an epoch. */
public interface SeekableRows extends RowStream {
  /** Where the rows last given begin; null if the stream cannot begin there. */
  @Nullable Mark mark();

  /**
   * Goes to a mark of an epoch, whose rows then come first.
   *
   * @throws IOException if the data cannot be read, or are not what they were
   * @throws InterruptedException if the thread was interrupted; the caller gave up
   */
  void restart(long epoch, Mark mark) throws IOException, InterruptedException;
}
