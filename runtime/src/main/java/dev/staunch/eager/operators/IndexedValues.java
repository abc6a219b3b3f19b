package dev.staunch.eager.operators;

/**
 * Values found along a dimension, and the int64 indices where they were found; both of the same
 * shape.
 */
public record IndexedValues<T>(T values, T indices) {

  static <T> IndexedValues<T> of(T[] results) {
    return new IndexedValues<>(results[0], results[1]);
  }
}
