package dev.staunch.data.dataset;

import dev.staunch.data.Item;
import dev.staunch.data.Prefetcher;
import dev.staunch.engine.CancelScope;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Returns the batches of a {@link Dataset}, read ahead, one epoch after another. An epoch ends with
 * the end or a fault, which stays until {@link #reset}. The caller that takes a batch owns it and
 * closes it.
 *
 * <p>{@link #next} returns a fault as a value; a loop over this iterator throws it as an exception.
 * Safe for use by several threads, like {@link Prefetcher}; each loop belongs to one thread.
 */
public final class DataIterator implements Iterable<TensorBatch>, AutoCloseable {
  private final Prefetcher<TensorBatch> batches;
  private final Counts counts;

  DataIterator(Prefetcher<TensorBatch> batches, Counts counts) {
    this.batches = batches;
    this.counts = counts;
  }

  /** Waits for the next batch, a fault in its place, or the end of the epoch. */
  public Item<TensorBatch> next() {
    return batches.next();
  }

  /**
   * Like {@link #next()}; cancellation or the deadline of {@code scope} ends the wait with a fault.
   */
  public Item<TensorBatch> next(CancelScope scope) {
    return batches.next(scope);
  }

  /**
   * Returns the remaining batches of this epoch. {@code hasNext} waits, and throws a fault. If
   * {@code hasNext} has taken a batch and {@code next} is not called, no other caller gets that
   * batch.
   */
  @Override
  public Iterator<TensorBatch> iterator() {
    return new Iterator<>() {
      private @Nullable TensorBatch found;

      @Override
      public boolean hasNext() {
        if (found == null) {
          found = batches.next().orThrow();
        }
        return found != null;
      }

      @Override
      public TensorBatch next() {
        TensorBatch batch = hasNext() ? found : null;
        if (batch == null) {
          throw new NoSuchElementException("no batch is left in the epoch of " + batches.name());
        }
        found = null;
        return batch;
      }
    };
  }

  /**
   * Begins the next epoch: at the end of this one, in the middle, or after a fault.
   *
   * @throws dev.staunch.fault.StaunchException if the data can no longer be read
   */
  public void reset() {
    batches.reset();
  }

  /** Like {@link #reset()}; cancellation or the deadline of {@code scope} ends the wait. */
  public void reset(CancelScope scope) {
    batches.reset(scope);
  }

  /** How many faults of this epoch the policy passed over, up to the item taken last. */
  public long skippedFaults() {
    return batches.skippedFaults();
  }

  /** How many bytes the batches that wait to be taken hold. */
  public long waitingBytes() {
    return batches.waitingBytes();
  }

  /** Counts of what has been read so far. */
  public DataMetrics metrics() {
    return counts.metrics();
  }

  /** Ends the iterator at once; batches that were taken remain valid. */
  @Override
  public void close() {
    batches.close();
  }

  /** For tests: waits until the producer's thread is gone. */
  void awaitProducer() throws InterruptedException {
    batches.awaitProducer();
  }
}
