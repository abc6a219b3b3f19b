package dev.staunch.eager;

/** Values found along a dimension, and the int64 indices they were found at; of the same shape. */
public record IndexedValues(Tensor values, Tensor indices) {

  static IndexedValues of(Tensor... results) {
    return new IndexedValues(results[0], results[1]);
  }
}
