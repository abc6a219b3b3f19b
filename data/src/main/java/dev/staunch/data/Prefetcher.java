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
 * Reads a {@link Source} ahead, on a thread of its own, and gives its batches and faults in their
 * order: every batch before a fault, then the fault; what follows is up to the {@link FaultPolicy}.
 * A fault or the end stays until a reset.
 *
 * <p>A batch belongs to whoever takes it. Those that nobody takes are closed by a reset or a close.
 *
 * <p>Thread-safe. Several threads, virtual ones too, may take; each batch goes to one of them, the
 * end or a fault to all. Waits end by an interrupt, after which the thread's flag is set, by the
 * cancellation or deadline of their scope, and by a close.
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

  /** With the default options, stopping at the first fault. */
  public static <B extends Batch> Prefetcher<B> open(Source<B> source) {
    return open(source, PrefetchOptions.defaults());
  }

  /** Stops at the first fault. */
  public static <B extends Batch> Prefetcher<B> open(Source<B> source, PrefetchOptions options) {
    return open(source, options, FaultPolicy.stop());
  }

  /**
   * Starts to read {@code source} from where it stands. The source is the prefetcher's from now on,
   * which closes it.
   *
   * @throws dev.staunch.fault.StaunchException.OverloadedException if the system has no thread to
   *     give; the source stays the caller's
   */
  public static <B extends Batch> Prefetcher<B> open(
      Source<B> source, PrefetchOptions options, FaultPolicy<B> policy) {
    Prefetcher<B> made = new Prefetcher<>(source, options, policy);
    Object started =
        Guard.attempt(
            thread -> {
              thread.start();
              return thread;
            },
            made.thread);
    if (started instanceof Fault fault) {
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
   * As {@link #next()}. If {@code scope} is cancelled, or its deadline passes first, the fault that
   * says so; nothing has been taken then, and the next call goes on as if this one had not been.
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
   * Goes back to the first batch: from any place, after a fault, after a reset that failed, as
   * often as wanted. Batches that wait are closed. A batch that is being read is finished first and
   * dropped; the source is not interrupted, for that could damage it.
   *
   * @throws dev.staunch.fault.StaunchException if the source cannot go back; then {@link #next}
   *     gives that fault until a reset works
   */
  public void reset() {
    reset(null, ownThread());
  }

  /**
   * As {@link #reset()}. If {@code scope} is cancelled, or its deadline passes first, throws the
   * fault that says so; a reset that was begun goes on, and {@link #next} waits for it.
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
   * How many faults the policy passed over in this epoch, up to the item last taken. Depends on the
   * data alone, not on how far ahead the source was read.
   */
  public long passedOver() {
    return queue.passedOver();
  }

  /** How many items wait now. */
  public int waitingItems() {
    return queue.size();
  }

  /** How many bytes the batches that wait hold. */
  public long waitingBytes() {
    return queue.bytes();
  }

  /** For tests that wait for its end. */
  Thread thread() {
    return thread;
  }

  /** Waits, for tests and for who has to know, until the thread that reads ahead is gone. */
  public void awaitProducer() throws InterruptedException {
    thread.join();
  }

  /**
   * Ends it: closes the batches that wait, interrupts the producer, and returns when that has
   * closed the source and is gone, or after 30 ms at the latest. A source that does not heed the
   * interrupt is reported, keeps its daemon thread until it returns, and is closed then. All waits
   * end with a fault. Idempotent; never throws.
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
                "the source %s did not heed the interrupt of a close (at %s); its thread %s goes on",
                name, producer.doing(), thread.getName()))
        .withCause(where);
  }

  @Override
  public String toString() {
    return "prefetcher of " + name;
  }
}
