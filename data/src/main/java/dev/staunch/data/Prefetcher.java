package dev.staunch.data;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.jvm.CatchClauses;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Source} ahead on its own thread and delivers its batches and faults in order:
 * every batch before a fault, then the fault. What follows the fault depends on the {@link
 * FaultPolicy}. A fault or the end stays until a reset.
 *
 * <p>A batch belongs to the caller that takes it. A reset or close closes the batches that nobody
 * has taken.
 *
 * <p>Thread-safe. Several threads, including virtual ones, may take items: each batch goes to one
 * of them, the end or a fault to all. A wait ends on an interrupt, which leaves the thread's
 * interrupt flag set, on cancellation or the deadline of its scope, and on a close.
 */
public final class Prefetcher<B extends Batch> implements AutoCloseable {
  /** How long a close waits for the producer's thread. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

  static {
    CatchClauses.prepare();
  }

  private final String name;
  private final BatchQueue<B> queue;
  private final Reports reports;
  private final Producer<B> producer;
  private final Thread thread;
  private final AtomicBoolean stuckTold = new AtomicBoolean();

  private Prefetcher(Source<B> source, PrefetchOptions options, FaultPolicy<B> policy) {
    this.name = source.name();
    this.queue = new BatchQueue<>(name, options);
    this.reports = new Reports(options.reports());
    WeakReference<Object> home = new WeakReference<>(this); // the thread keeps no prefetcher alive
    this.producer = new Producer<>(name, source, policy, queue, reports, () -> home.refersTo(null));
    this.thread = Thread.ofPlatform().daemon().name("staunch-prefetch-" + name).unstarted(producer);
  }

  /** Opens a prefetcher with the default options that stops at the first fault. */
  public static <B extends Batch> Prefetcher<B> open(Source<B> source) {
    return open(source, PrefetchOptions.defaults());
  }

  /** Opens a prefetcher that stops at the first fault. */
  public static <B extends Batch> Prefetcher<B> open(Source<B> source, PrefetchOptions options) {
    return open(source, options, FaultPolicy.stop());
  }

  /**
   * Starts to read {@code source} from its current place. The prefetcher owns the source from now
   * on, and closes it.
   *
   * @throws dev.staunch.fault.StaunchException.OverloadedException if the system cannot start a
   *     thread; the caller then still owns the source
   */
  public static <B extends Batch> Prefetcher<B> open(
      Source<B> source, PrefetchOptions options, FaultPolicy<B> policy) {
    Prefetcher<B> made = new Prefetcher<>(source, options, policy);
    Fault fault = Guard.run(Thread::start, made.thread);
    if (fault != null) {
      throw Fault.of(FaultType.OVERLOADED, "there is no thread to read " + made.name + " ahead")
          .withSuppressed(List.of(fault))
          .toException();
    }
    return made;
  }

  /** The name of the source. */
  public String name() {
    return name;
  }

  /** Waits for the next item. If it is a batch, the caller owns it. */
  public Item<B> next() {
    return take(null);
  }

  /**
   * Like {@link #next()}. If {@code scope} is cancelled or its deadline passes first, returns a
   * fault that says so. Such a call takes nothing, and does not affect the next call.
   */
  public Item<B> next(CancelScope scope) {
    return take(scope);
  }

  private Item<B> take(@Nullable CancelScope scope) {
    Fault misuse = ownThread();
    if (misuse != null) {
      return new Item.Bad<>(misuse);
    }
    try {
      return queue.take(scope);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Goes back to the first batch. Works from any place, after a fault, after a failed reset, and
   * any number of times. Waiting batches are closed. A batch that is being read is read to its end
   * and dropped; the source is not interrupted, because that could damage it.
   *
   * @throws dev.staunch.fault.StaunchException if the source cannot go back; {@link #next} then
   *     returns that fault until a reset succeeds
   */
  public void reset() {
    reset(null, ownThread());
  }

  /**
   * Like {@link #reset()}. If {@code scope} is cancelled or its deadline passes first, throws a
   * fault that says so; a reset that has begun continues, and {@link #next} waits for it.
   */
  public void reset(CancelScope scope) {
    Fault stop = scope.check();
    reset(scope, stop == null ? ownThread() : stop);
  }

  private void reset(@Nullable CancelScope scope, @Nullable Fault refused) {
    Fault fault = refused == null ? resetNow(scope) : refused;
    if (fault != null) {
      throw fault.toException();
    }
  }

  private @Nullable Fault resetNow(@Nullable CancelScope scope) {
    try {
      List<Item<B>> left = new ArrayList<>();
      long number = queue.askReset(left);
      left.forEach(reports::discard);
      return queue.awaitReset(number, scope);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private @Nullable Fault ownThread() {
    return Thread.currentThread().equals(thread)
        ? Fault.internal(Message.of("the source %s waits for its own prefetcher", name))
        : null;
  }

  /**
   * How many faults of this epoch the policy passed over, up to the item taken last. Depends only
   * on the data, not on how far ahead the source was read.
   */
  public long skippedFaults() {
    return queue.skippedFaults();
  }

  /** How many items are waiting. */
  public int waitingItems() {
    return queue.size();
  }

  /** How many bytes the waiting batches hold. */
  public long waitingBytes() {
    return queue.bytes();
  }

  /** The producer's thread, for tests that wait for its end. */
  Thread thread() {
    return thread;
  }

  /** Waits until the thread that reads ahead has ended, for tests and callers that need to know. */
  public void awaitProducer() throws InterruptedException {
    thread.join();
  }

  /**
   * Closes the waiting batches, interrupts the producer, and returns once the producer has closed
   * the source and ended, or after 30 ms at the latest. A source that has not ended by then is
   * reported, keeps its daemon thread until it returns, and is closed then. All waits end with a
   * fault. Idempotent; never throws.
   */
  @Override
  public void close() {
    try {
      queue.close(thread).forEach(reports::discard);
      if (ownThread() == null
          && !queue.awaitEnd(GRACE_NANOS)
          && stuckTold.compareAndSet(false, true)) {
        reports.tell(stuck());
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private Fault stuck() {
    IllegalStateException where = new IllegalStateException("where " + thread.getName() + " is");
    where.setStackTrace(thread.getStackTrace());
    return Fault.internal(
            Message.of(
                "the source %s did not end within 30 ms of a close (at %s); its thread %s goes on",
                name, producer.doing(), thread.getName()))
        .withCause(where);
  }

  @Override
  public String toString() {
    return "prefetcher of " + name;
  }
}
