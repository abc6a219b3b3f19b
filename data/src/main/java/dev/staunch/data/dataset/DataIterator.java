package dev.staunch.data.dataset;

import dev.staunch.data.Item;
import dev.staunch.data.Prefetcher;
import dev.staunch.engine.CancelScope;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Gives the batches of a {@link Dataset}, read ahead, epoch by epoch: up to the end or a fault,
 * which stay until {@link #reset}. Whoever takes a batch owns it and closes it.
 *
 * <p>{@link #next} gives a fault as a value, a loop over this throws it as an exception. Safe for
 * several threads as {@link Prefetcher} is; each loop is one thread's.
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

  /** As {@link #next()}; a cancellation or deadline of {@code scope} ends the wait with a fault. */
  public Item<TensorBatch> next(CancelScope scope) {
    return batches.next(scope);
  }

  /**
   * The batches of this epoch from here on; its {@code hasNext} waits, and throws a fault. A batch
   * that {@code hasNext} has found and nobody asked for by {@code next} is lost to others.
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
          throw new NoSuchElementException("the epoch of " + batches.name() + " is over");
        }
        found = null;
        return batch;
      }
    };
  }

  /**
   * Begins the next epoch: at its end, in its midst, or after a fault.
   *
   * @throws dev.staunch.fault.StaunchException if the data cannot be read any more
   */
  public void reset() {
    batches.reset();
  }

  /** As {@link #reset()}; a cancellation or deadline of {@code scope} ends the wait. */
  public void reset(CancelScope scope) {
    batches.reset(scope);
  }

  /** How many faults of this epoch the policy passed over, up to the item last taken. */
  public long passedOver() {
    return batches.passedOver();
  }

  /** How many bytes the batches hold that wait to be taken. */
  public long waitingBytes() {
    return batches.waitingBytes();
  }

  /** What was read so far. */
  public DataMetrics metrics() {
    return counts.metrics();
  }

  /** Ends it, at once; batches that were taken stay. */
  @Override
  public void close() {
    batches.close();
  }

  /** For tests: waits until the producer's thread is gone. */
  void awaitProducer() throws InterruptedException {
    batches.awaitProducer();
  }
}
