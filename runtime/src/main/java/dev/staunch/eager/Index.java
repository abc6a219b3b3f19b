package dev.staunch.eager;

/**
 * What {@link Indexing#get} and {@link Indexing#set} take for a dimension: one index, a {@link
 * Slice}, a new dimension, all dimensions not named, or a tensor of int64 indices or of bools (a
 * mask, which stands for as many dimensions as it has, without any for a new one of size 1 or 0;
 * uint8 is a mask too, as in PyTorch).
 */
public sealed interface Index permits Index.At, Index.Mark, Slice, Tensor {

  /** One index of a dimension, which goes; negative ones count from the end. */
  record At(long index) implements Index {}

  /** Indices that name no place. */
  enum Mark implements Index {
    /** As many whole dimensions as the other indices leave; once at most. */
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
