package dev.staunch.data.decode;

import dev.staunch.data.row.Rows;

/** Makes rows from a part. Called by several threads concurrently, each with its own arguments. */
@FunctionalInterface
public interface Decoder {
  /**
   * Adds the examples of {@code part} to {@code rows}. An exception becomes a fault in the place of
   * the part.
   */
  void decode(Part part, Rows rows);
}
