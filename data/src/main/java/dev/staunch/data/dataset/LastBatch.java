package dev.staunch.data.dataset;

/** What becomes of the examples at the end of an epoch that do not fill a batch. */
public enum LastBatch {
  /** Filled up with the first examples of the epoch, again and again if they are few. */
  PAD_REPEAT,
  /** Filled up with zeros. */
  PAD_ZERO,
  /** Left out. */
  DISCARD,
  /** Kept for the first batch of the next epoch. */
  ROLL_OVER
}
