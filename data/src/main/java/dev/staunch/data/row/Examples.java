package dev.staunch.data.row;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where examples come from: files of some format, arrays, a user's function. A recipe, which holds
 * nothing open; immutable and thread-safe.
 */
public interface Examples {
  /** How messages and threads name this, such as {@code train.csv}. */
  String name();

  /**
   * Whether any example can be read at once, so that whole epochs can be {@linkplain
   * Reading#permuted permuted} without holding them in memory.
   */
  default boolean isIndexed() {
    return false;
  }

  /**
   * Opens the examples, at the start of epoch 0. The caller closes the stream.
   *
   * @throws IOException if they cannot be read
   */
  RowStream open(Reading how) throws IOException;

  /**
   * Examples of a user's own.
   *
   * @param readers makes what reads an epoch from its start; one that is {@link AutoCloseable} is
   *     closed after it
   */
  static Examples of(String name, List<Field> fields, Supplier<? extends RowReader> readers) {
    return new OwnExamples(name, List.copyOf(fields), readers);
  }

  /**
   * Examples with the fields of both, such as data and labels of different files. If one ends
   * before the other, that is a fault in the place of the first example that lacks its other half.
   */
  static Examples zip(Examples left, Examples right) {
    return new ZippedExamples(left, right);
  }
}
