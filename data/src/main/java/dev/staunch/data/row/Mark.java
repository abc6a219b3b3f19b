package dev.staunch.data.row;

/**
 * A place in an epoch at which a stream can begin to read. Each stream defines what the numbers
 * mean; a mark is valid for streams of the same examples and {@link ReadOptions}.
 *
 * @param file which of several files, counted from 0
 * @param at a byte of the file, or how many examples of the epoch come before
 * @param lines how many lines or records of the file come before
 */
public record Mark(long file, long at, long lines) {
  public Mark {
    if (file < 0 || at < 0 || lines < 0) {
      throw new IllegalArgumentException("a mark has a negative number: " + at);
    }
  }
}
