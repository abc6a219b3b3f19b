package dev.staunch.data;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * One place in an ordered sequence of batches. Immutable; the receiver of a {@link Good} item owns
 * its batch.
 */
public sealed interface Item<B extends Batch> {
  /** A batch. */
  record Good<B extends Batch>(B batch) implements Item<B> {}

  /** A fault in the place of a batch. */
  record Bad<B extends Batch>(Fault fault) implements Item<B> {}

  /** The place after the last batch of an epoch. */
  record End<B extends Batch>() implements Item<B> {}

  /**
   * Returns the batch, or null at the end.
   *
   * @throws dev.staunch.fault.StaunchException if this is a fault; a new exception at each call
   */
  default @Nullable B orThrow() {
    return switch (this) {
      case Good<B>(B batch) -> batch;
      case Bad<B>(Fault fault) -> throw fault.toException();
      case End<B>() -> null;
    };
  }
}
