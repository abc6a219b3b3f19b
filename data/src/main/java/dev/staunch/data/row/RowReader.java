package dev.staunch.data.row;

import java.io.IOException;

/** Reads examples one by one; users implement this to read their own data. */
@FunctionalInterface
public interface RowReader {
  /**
   * Writes the next example.
   *
   * @return false, with nothing written, if there is none
   * @throws IOException if the data cannot be read. Any exception becomes a fault in the place of
   *     the example; prefer {@link RowWriter#fail}.
   * @throws InterruptedException if the thread was interrupted
   */
  boolean next(RowWriter row) throws IOException, InterruptedException;
}
