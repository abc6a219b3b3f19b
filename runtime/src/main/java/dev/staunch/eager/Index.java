package dev.staunch.eager;

/**
 * What {@link Indexing#get} and {@link Indexing#set} accept for a dimension: a single index, a
 * {@link Slice}, a new dimension, an ellipsis for all dimensions not named, or a tensor of int64
 * indices or bools. A bool tensor is a mask and stands for as many dimensions as it has; one
 * without dimensions stands for a new dimension of size 1 or 0. A uint8 tensor is a mask too, as in
 * PyTorch.
 */
public sealed interface Index permits Index.At, Index.Mark, Slice, Tensor {

  /** A single index, which removes its dimension; a negative one counts from the end. */
  record At(long index) implements Index {}

  /** Indices that select no position. */
  enum Mark implements Index {
    /** As many whole dimensions as the other indices leave; at most one per call. */
    ELLIPSIS,
    /** A new dimension of size 1. */
    NEW_AXIS
  }

  static Index at(long index) {
    return new At(index);
  }

  /** {@code ...} in Python. */
  static Index ellipsis() {
    return Mark.ELLIPSIS;
  }

  /** {@code None} in Python. */
  static Index newAxis() {
    return Mark.NEW_AXIS;
  }
}
