package dev.staunch.data.row;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * A recipe for examples: from files of some format, arrays, or a user's function. Holds nothing
 * open; immutable and thread-safe.
 */
public interface Examples {
  /** The name used in messages and thread names, such as {@code train.csv}. */
  String name();

  /**
   * Whether examples can be read in any order, so that whole epochs can be {@linkplain
   * ReadOptions#permuted permuted} without holding them in memory.
   */
  default boolean isIndexed() {
    return false;
  }

  /**
   * Opens the examples at the start of epoch 0. The caller closes the stream.
   *
   * @throws IOException if they cannot be read
   */
  RowStream open(ReadOptions how) throws IOException;

  /**
   * Makes examples from a user's function.
   *
   * @param readers makes a reader that reads an epoch from its start; one that is {@link
   *     AutoCloseable} is closed afterwards
   */
  static Examples of(String name, List<Field> fields, Supplier<? extends RowReader> readers) {
    return new OwnExamples(name, List.copyOf(fields), readers);
  }

  /**
   * Combines the fields of both, such as data and labels from different files. If one side ends
   * before the other, the first example without its counterpart is a fault.
   */
  static Examples zip(Examples left, Examples right) {
    return new ZippedExamples(left, right);
  }
}
