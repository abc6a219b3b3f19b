package dev.staunch.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import jdk.jfr.Event;

/**
 * Asks the JVM for a collection when the strategy says so, and before a budget refuses (M5). No
 * other class may. Thread-safe.
 */
final class CollectionRequests {
  /** Is enqueued once the requested collection has found all that it will find. */
  static final class Sentinel extends PhantomReference<Object> {
    volatile boolean seen;

    Sentinel(ReferenceQueue<Object> queue) {
      super(new Object(), queue);
    }
  }

  private static final long LONGEST_GAP = Duration.ofSeconds(1).toNanos();

  /** The longest pause between collections at the limit that find nothing. */
  private static final long MOST_BACKING_OFF = Duration.ofMinutes(1).toNanos();

  /**
   * The pause after a useful collection at the limit, in multiples of its duration: programs that
   * drop their tensors wait, and others get most of the time.
   */
  private static final int RECOVERY = 9;

  /** Growth by this fraction of the budget justifies a collection at once. */
  private static final int NOT_LITTLE = 8;

  /** Whether {@link #crossed} has to be called: there is a threshold. */
  final boolean watchesHeld;

  private final Runnable collector;
  private final LongSupplier clock;
  private final ReclaimStrategy strategy;
  private final Account account;
  private final ReferenceQueue<Object> queue;
  private final long gap;
  private final long longestRecovery;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong found = new AtomicLong();
  private volatile long trigger;
  private volatile boolean pending;
  private long last; // guarded by this, as are the fields below
  private long recovery; // pause after a collection at the limit that helped
  private long patience; // and after one that did not
  private long foundBefore;
  private long heldAfter;
  private Sentinel sentinel;

  CollectionRequests(MemoryOptions options, Account account, ReferenceQueue<Object> queue) {
    this(options, account, queue, System::gc, System::nanoTime);
  }

  /** With another collector and another clock than the JVM's. */
  CollectionRequests(
      MemoryOptions options,
      Account account,
      ReferenceQueue<Object> queue,
      Runnable collector,
      LongSupplier clock) {
    this.collector = collector;
    this.clock = clock;
    this.strategy = options.strategy();
    this.watchesHeld = strategy instanceof ReclaimStrategy.Threshold;
    this.longestRecovery = Nanos.of(options.reclaimWait());
    this.account = account;
    this.queue = queue;
    this.gap =
        switch (strategy) {
          case ReclaimStrategy.LeaveToJvm atLimit -> LONGEST_GAP;
          case ReclaimStrategy.Periodic periodic ->
              Math.min(LONGEST_GAP, Nanos.of(periodic.interval()));
          case ReclaimStrategy.Threshold threshold -> Nanos.of(threshold.atLeastBetween());
        };
    this.trigger =
        strategy instanceof ReclaimStrategy.Threshold threshold
            ? threshold.bytes()
            : Long.MAX_VALUE;
    this.last = clock.getAsLong() - gap;
    this.patience = gap;
    this.sentinel = new Sentinel(queue);
  }

  /** Whether an allocation has just crossed the threshold, so that the reaper should be woken. */
  boolean crossed() {
    long limit = trigger;
    if (limit == Long.MAX_VALUE || account.granted() < limit || pending) {
      return false;
    }
    pending = true;
    return true;
  }

  /** Asks for a collection if one is due. The reaper calls this from time to time. */
  void tick() {
    switch (strategy) {
      case ReclaimStrategy.LeaveToJvm never -> {}
      case ReclaimStrategy.Periodic periodic -> {
        if (account.granted() > 0) {
          ask("interval passed", Nanos.of(periodic.interval()));
        }
      }
      case ReclaimStrategy.Threshold threshold -> watch(threshold.bytes());
    }
  }

  /** After a request, the next is due once the bytes held exceed what that left by some margin. */
  private void watch(long threshold) {
    long held = account.granted();
    if (held < trigger) {
      trigger = Math.max(threshold, Math.min(trigger, held + threshold / 8));
      pending = false;
    } else if (ask("threshold crossed", gap)) {
      trigger = held + threshold / 8;
      pending = false;
    }
  }

  /** Milliseconds until {@link #tick} may have something to do, at most {@code most}. */
  long pauseMillis(long most) {
    long due =
        switch (strategy) {
          case ReclaimStrategy.LeaveToJvm never -> Long.MAX_VALUE;
          case ReclaimStrategy.Periodic periodic -> untilDue(Nanos.of(periodic.interval()));
          case ReclaimStrategy.Threshold threshold -> pending ? untilDue(gap) : Long.MAX_VALUE;
        };
    return Math.clamp(due / 1_000_000, 1, most);
  }

  private synchronized long untilDue(long interval) {
    return last + interval - clock.getAsLong();
  }

  /**
   * For an allocation that would be refused, whatever the strategy: asks for a collection, unless
   * the last one helped and is {@linkplain #isRecovering recent}, or is recent, found nothing and
   * few bytes have been allocated since. Collections that find nothing become ever rarer. Returns
   * true if it asked.
   */
  synchronized boolean askAtLimit() {
    boolean helped = helped();
    boolean grown = account.granted() - heldAfter >= account.budgetBytes() / NOT_LITTLE;
    boolean isFirst = asked.get() == 0;
    boolean asks = ask("limit met", helped ? recovery : grown ? 0 : patience);
    if (asks) {
      boolean useless = !helped && !isFirst;
      patience = !useless ? gap : Math.max(gap, Math.min(MOST_BACKING_OFF, patience * 2));
    }
    return asks;
  }

  /** Whether the last collection helped and {@link #askAtLimit} is still pausing after it. */
  synchronized boolean isRecovering() {
    return helped() && untilDue(recovery) > 0;
  }

  /** Whether the last collection found anything that had not been closed. */
  synchronized boolean helped() {
    return found.get() > foundBefore;
  }

  /** The sentinel of the latest collection, or an initial one before the first. */
  synchronized Sentinel latest() {
    return sentinel;
  }

  /** Called when the collector has found something that had not been closed. */
  void found() {
    found.getAndIncrement();
  }

  private synchronized boolean ask(String reason, long interval) {
    long begun = clock.getAsLong();
    if (begun - last < interval) {
      return false;
    }
    sentinel = new Sentinel(queue);
    foundBefore = found.get();
    asked.incrementAndGet();
    Event event = FlightEvents.collectionAsked(reason, account.bytes());
    collector.run();
    if (event != null) {
      event.commit();
    }
    heldAfter = account.granted();
    last = clock.getAsLong();
    recovery = Math.min(longestRecovery, RECOVERY * (last - begun));
    return true;
  }

  /** The number of collections requested. */
  long asked() {
    return asked.get();
  }
}
