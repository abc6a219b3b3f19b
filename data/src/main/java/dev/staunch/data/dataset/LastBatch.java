package dev.staunch.data.dataset;

/** What happens to the examples at the end of an epoch that do not fill a batch. */
public enum LastBatch {
  /** The batch is padded with the first examples of the epoch, repeatedly if there are few. */
  PAD_REPEAT,
  /** The batch is padded with zeros. */
  PAD_ZERO,
  /** The examples are dropped. */
  DISCARD,
  /** The examples are kept for the first batch of the next epoch. */
  ROLL_OVER
}
