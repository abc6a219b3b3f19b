package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What happens when an allocation meets a budget (M5): room is made in the order that costs others
 * least. If there is none, this one allocation fails and says why. Thread-safe.
 */
final class Limit {
  private static final int HOLDERS_NAMED = 5;
  private static final int MOST_BUDGETS_ABOVE = 8;

  private final Account process;
  private final Runnable trim;
  private final CollectionRequests collections;
  private final Reaper reaper;
  private final long waitNanos;
  private final AtomicLong refusals = new AtomicLong();

  /**
   * @param trim returns what the pool keeps to the system
   * @param reclaimWait how long an allocation waits until it may ask for a collection, and again
   *     for what that finds
   */
  Limit(
      Account process,
      Runnable trim,
      CollectionRequests collections,
      Reaper reaper,
      Duration reclaimWait) {
    this.process = process;
    this.trim = trim;
    this.collections = collections;
    this.reaper = reaper;
    this.waitNanos = Nanos.of(reclaimWait);
  }

  /** The number of allocations refused so far. */
  long refusals() {
    return refusals.get();
  }

  /**
   * At the limit (M5): null once the bytes are taken, or the account that still refuses. Stops
   * waiting for an {@code asker} that is cancelled.
   */
  @Nullable Account makeRoom(
      long bytes, Account owner, Account refusedFirst, @Nullable Asker asker) {
    Account refused = retake(bytes, owner, refusedFirst);
    if (refused == null) {
      return null;
    }
    if (refused == process) {
      trim.run();
    }
    reaper.reapFound();
    refused = retake(bytes, owner, refused);
    return refused != null && bytes <= refused.budgetBytes()
        ? collect(bytes, owner, refused, asker)
        : refused;
  }

  /** Calls in the credit below {@code limit} and tries again; one thread at a time. */
  private synchronized @Nullable Account retake(long bytes, Account owner, Account limit) {
    Account refused = limit;
    for (int i = 0; i < MOST_BUDGETS_ABOVE; i++) { // another budget further out may refuse next
      refused.callInCredit();
      Account next = owner.take(bytes);
      if (next == null || next == refused) {
        return next;
      }
      refused = next;
    }
    return refused;
  }

  /**
   * Waits until the JVM has recovered from the last collection, asks for one and waits for what it
   * finds. If other threads take that first, repeats this while there is time.
   */
  private @Nullable Account collect(
      long bytes, Account owner, Account refusedFirst, @Nullable Asker asker) {
    long until = System.nanoTime() + waitNanos;
    Account refused = refusedFirst;
    do {
      while (refused != null && collections.isRecovering() && mayWait(until, asker)) {
        reaper.reapNext();
        refused = retake(bytes, owner, refused);
      }
      if (refused != null) {
        collections.askAtLimit();
        refused = awaitFound(bytes, owner, refused, asker);
      }
    } while (refused != null && collections.helped() && mayWait(until, asker));
    return refused;
  }

  private @Nullable Account awaitFound(
      long bytes, Account owner, Account refusedFirst, @Nullable Asker asker) {
    CollectionRequests.Sentinel sentinel = collections.latest();
    long until = System.nanoTime() + waitNanos;
    Account refused = retake(bytes, owner, refusedFirst);
    boolean last = false;
    boolean found = true;
    while (refused != null && (found || !last) && mayWait(until, asker)) {
      // then everything that the collection found is in the queue, and what was taken is released
      last = sentinel.seen && !reaper.isBusy();
      found = reaper.reapNext();
      refused = retake(bytes, owner, refused);
    }
    return refused;
  }

  private static boolean mayWait(long until, @Nullable Asker asker) {
    return System.nanoTime() - until < 0
        && !Thread.currentThread().isInterrupted()
        && (asker == null || asker.cancelled() == null);
  }

  /** The fault for an allocation that {@code refused} forbids. */
  Fault outOfBudget(long bytes, Account owner, Account refused) {
    noteRefusal(bytes, owner, refused);
    long budget = refused.budgetBytes();
    long held = refused.bytes();
    String holders = Holders.largest(refused, HOLDERS_NAMED);
    String text =
        Message.of(
            "an allocation of %s for %s does not fit the memory budget of %s, %s, of which %s are held%s; %s",
            ByteCount.text(bytes),
            nameOf(owner),
            nameOf(refused),
            ByteCount.text(budget),
            ByteCount.text(held),
            holders.isEmpty() ? "" : " (" + holders + ")",
            "close what is no longer used, or raise the budget");
    return Fault.of(FaultType.OUT_OF_MEMORY, text)
        .withExpected("at most " + Math.max(0, budget - held) + " bytes", bytes + " bytes");
  }

  private String nameOf(Account account) {
    return account == process ? "the process" : "'" + account.name() + "'";
  }

  /** The fault for an allocation that fits the budget, but not the machine. */
  Fault outOfSystem(long bytes, Account owner, Throwable cause) {
    noteRefusal(bytes, owner, process);
    return Fault.of(
            FaultType.OUT_OF_MEMORY,
            Message.of(
                "the system has no %s left, although the budget has; lower the budget below what the machine has",
                ByteCount.text(bytes)))
        .withCause(cause);
  }

  private void noteRefusal(long bytes, Account owner, Account refused) {
    refusals.incrementAndGet();
    FlightEvents.allocationRefused(bytes, owner, refused);
  }
}
