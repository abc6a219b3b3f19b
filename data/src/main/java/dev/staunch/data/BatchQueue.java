package dev.staunch.data;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The items that were read and not yet taken, in order, and the producer's next task. This is the
 * one place where consumers and the producer meet: a lock, under which no foreign code runs. A
 * fault or an end is the last entry of its epoch and stays until a reset.
 */
final class BatchQueue<B extends Batch> {
  /** The producer's next task. */
  enum Work {
    PULL,
    RESET,
    STOP
  }

  /**
   * An item that waits.
   *
   * @param bytes the size of its batch
   * @param skippedFaults how many faults of the epoch the policy passed over before it
   */
  record Entry<B extends Batch>(Item<B> item, long bytes, long skippedFaults) {}

  /** The largest accepted size of a batch; keeps sums from overflowing. */
  static final long MOST_BYTES = 1L << 60;

  /** How often a waiting thread checks whether its scope was cancelled. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How often an idle producer checks whether anybody can still take items. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(1);

  private final String name;
  private final int mostBatches;
  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Bell changed = new Bell(lock);
  private final Bell wanted = new Bell(lock);
  private final ArrayDeque<Entry<B>> entries = new ArrayDeque<>();
  private long bytes;
  private long lastBytes;
  private long skippedFaults;
  private boolean complete;
  private long resetsAsked;
  private long resetsBegun;
  private long resetsDone;
  private @Nullable Fault resetFault;
  private boolean closed;
  private boolean ended;
  private @Nullable Fault broken;

  BatchQueue(String name, PrefetchOptions limits) {
    this.name = name;
    this.mostBatches = limits.batches();
    this.mostBytes = Math.min(limits.bytes(), MOST_BYTES);
  }

  // The producer's side.

  /**
   * Waits for a task; returns null when it is time to check whether the prefetcher was abandoned.
   */
  @Nullable Work work() {
    lock.lock();
    try {
      Work work = nextWork();
      if (work == null) {
        wanted.await(LOOK_NANOS);
        work = nextWork();
      }
      return work;
    } catch (InterruptedException e) {
      return nextWork(); // interrupted by a close, or by a source that interrupts itself
    } finally {
      lock.unlock();
    }
  }

  /** The task to begin now, or null for none. */
  private @Nullable Work nextWork() {
    if (closed) {
      return Work.STOP;
    }
    if (isResetting()) {
      resetsBegun = resetsAsked;
      return Work.RESET;
    }
    return !complete && hasRoom() ? Work.PULL : null;
  }

  private boolean isResetting() {
    return resetsAsked != resetsDone;
  }

  private boolean hasRoom() {
    return entries.isEmpty() || (entries.size() < mostBatches && lastBytes <= mostBytes - bytes);
  }

  /** Adds an item that was read; returns false if nobody wants it any more. */
  boolean put(Entry<B> entry) {
    lock.lock();
    try {
      if (closed || isResetting()) {
        return false;
      }
      entries.add(entry);
      bytes += entry.bytes();
      if (entry.item() instanceof Item.Good<B>) {
        lastBytes = entry.bytes();
      } else {
        complete = true;
      }
      changed.ring();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Completes the reset begun last. If it failed, its fault is the only item until the next reset.
   */
  void resetDone(@Nullable Fault fault) {
    lock.lock();
    try {
      resetsDone = resetsBegun;
      resetFault = fault;
      if (!closed && !isResetting() && fault != null) {
        entries.add(new Entry<>(new Item.Bad<>(fault), 0, 0));
        complete = true;
      }
      changed.ring();
    } finally {
      lock.unlock();
    }
  }

  /** The producer has ended, because of {@code why} if it was not told to stop. */
  void end(@Nullable Fault why) {
    lock.lock();
    try {
      ended = true;
      broken = why;
      changed.ring();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    return locked(() -> closed);
  }

  // The consumers' side.

  /**
   * Returns the next item, or a fault if the wait was cancelled; a cancelled wait takes nothing.
   */
  Item<B> take(@Nullable CancelScope scope) {
    lock.lock();
    try {
      while (true) {
        Fault stop = scope == null ? null : scope.check();
        if (stop != null) {
          return new Item.Bad<>(stop);
        }
        Item<B> item = takeNow();
        if (item != null) {
          return item;
        }
        changed.await(patience(scope));
      }
    } catch (InterruptedException e) {
      return new Item.Bad<>(interrupted("a batch", e));
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Item<B> takeNow() {
    if (closed) {
      return new Item.Bad<>(closedFault());
    }
    Entry<B> entry = entries.peek(); // empty during a reset
    if (entry == null) {
      return broken == null ? null : new Item.Bad<>(broken);
    }
    skippedFaults = entry.skippedFaults();
    switch (entry.item()) {
      case Item.Good<B> _ -> {
        entries.remove();
        bytes -= entry.bytes();
        wanted.ring();
      }
      case Item.Bad<B>(Fault fault) -> fault.markRead();
      case Item.End<B> _ -> {}
    }
    return entry.item();
  }

  private static long patience(@Nullable CancelScope scope) {
    return scope == null ? FOREVER_NANOS : POLL_NANOS;
  }

  /**
   * Requests a reset, adds the items that were waiting to {@code left}, and returns the reset's
   * number for {@link #awaitReset}.
   */
  long askReset(List<Item<B>> left) {
    lock.lock();
    try {
      drain(left);
      resetsAsked++;
      wanted.ring();
      return resetsAsked;
    } finally {
      lock.unlock();
    }
  }

  /** Returns null when the reset is done, or the fault of the reset or of the wait for it. */
  @Nullable Fault awaitReset(long number, @Nullable CancelScope scope) {
    lock.lock();
    try {
      while (resetsDone < number) {
        Fault stop = stopOfReset(scope);
        if (stop != null) {
          return stop;
        }
        changed.await(patience(scope));
      }
      return resetFault;
    } catch (InterruptedException e) {
      return interrupted("a reset", e);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Fault stopOfReset(@Nullable CancelScope scope) {
    if (closed) {
      return closedFault();
    }
    return broken != null || scope == null ? broken : scope.check();
  }

  /** Closes the queue, returns the items that were waiting, and interrupts the producer. */
  List<Item<B>> close(Thread producer) {
    List<Item<B>> left = new ArrayList<>();
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        drain(left);
        wanted.ring();
        changed.ring();
        producer.interrupt(); // here, so that the interrupt precedes the end
      }
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the producer to end, even through interrupts; returns whether it has ended. */
  boolean awaitEnd(long nanos) {
    boolean interrupted = false;
    lock.lock();
    try {
      long end = System.nanoTime() + nanos;
      for (long left = nanos; !ended && left > 0; left = end - System.nanoTime()) {
        try {
          changed.await(left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return ended;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void drain(List<Item<B>> left) {
    for (Entry<B> entry : entries) {
      left.add(entry.item());
    }
    entries.clear();
    bytes = 0;
    lastBytes = 0;
    skippedFaults = 0;
    complete = false;
  }

  long skippedFaults() {
    return locked(() -> skippedFaults);
  }

  int size() {
    return locked(() -> entries.size());
  }

  long bytes() {
    return locked(() -> bytes);
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the prefetcher of " + name + " was closed before this use");
  }

  private Fault interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return Fault.of(
            FaultType.CANCELLED, Message.of("the wait for %s of %s was interrupted", what, name))
        .withCause(e);
  }
}
