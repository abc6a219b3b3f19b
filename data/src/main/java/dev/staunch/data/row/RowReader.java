package dev.staunch.data.row;

import java.io.IOException;

/** Reads examples one by one; what a user writes to read something of their own. */
@FunctionalInterface
public interface RowReader {
  /**
   * Writes the next example.
   *
   * @return false, and nothing written, if there is none
   * @throws IOException if the data cannot be read. That, and all else that is thrown, becomes a
   *     fault in the place of the example; {@link RowWriter#fail} is the better way.
   * @throws InterruptedException if the thread was interrupted
   */
  boolean next(RowWriter row) throws IOException, InterruptedException;
}
