package dev.staunch.memory;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The Java Flight Recorder events of this package; one volatile read while nothing is recorded. */
final class FlightEvents {
  private FlightEvents() {}

  @Name("dev.staunch.AllocationRefused")
  @Label("Allocation Refused")
  @Description("An allocation did not fit a budget and became a fault")
  @Category({"Staunch", "Memory"})
  static final class AllocationRefused extends Event {
    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Account")
    @Nullable String account;

    @Label("Refused By")
    @Nullable String refusedBy;

    @Label("Held")
    @DataAmount
    long held;

    @Label("Budget")
    @DataAmount
    long budget;
  }

  @Name("dev.staunch.Leak")
  @Label("Leak")
  @Description("A resource was reclaimed that nobody closed")
  @Category({"Staunch", "Memory"})
  @StackTrace(false)
  static final class Leaked extends Event {
    @Label("What")
    @Nullable String what;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Scope")
    @Nullable String scope;

    @Label("Made At")
    @Description("The line that made it, if that was noted")
    @Nullable String madeAt;
  }

  @Name("dev.staunch.PoolTrim")
  @Label("Pool Trim")
  @Description("The block pool gave free memory back to the system")
  @Category({"Staunch", "Memory"})
  @StackTrace(false)
  static final class PoolTrim extends Event {
    @Label("Freed")
    @DataAmount
    long freed;

    @Label("Reserved")
    @DataAmount
    long reserved;
  }

  @Name("dev.staunch.CollectionAsked")
  @Label("Collection Asked")
  @Description("The JVM was asked for a collection to find unreachable tensors")
  @Category({"Staunch", "Memory"})
  @StackTrace(false)
  static final class CollectionAsked extends Event {
    @Label("Reason")
    @Nullable String reason;

    @Label("Held")
    @DataAmount
    long held;
  }

  @Name("dev.staunch.ScopeClosed")
  @Label("Scope Closed")
  @Description("A resource scope closed and released its members")
  @Category({"Staunch", "Memory"})
  @StackTrace(false)
  static final class ScopeClosed extends Event {
    @Label("Scope")
    @Nullable String scope;

    @Label("Released")
    int released;

    @Label("Peak")
    @DataAmount
    long peak;

    @Label("Still Held")
    @DataAmount
    long stillHeld;
  }

  @Name("dev.staunch.Memory")
  @Label("Memory")
  @Description("The figures of one off-heap memory, read now and then")
  @Category({"Staunch", "Memory"})
  @Period("10 s")
  @StackTrace(false)
  static final class Memory extends Event {
    @Label("Held")
    @DataAmount
    long held;

    @Label("Budget")
    @DataAmount
    long budget;

    @Label("Reserved")
    @Description("Taken from the system, free blocks of the pool included")
    @DataAmount
    long reserved;

    @Label("Mapped")
    @Description("Of files in memory, outside of the budget")
    @DataAmount
    long mapped;

    @Label("Pool Hits")
    long poolHits;

    @Label("Pool Misses")
    long poolMisses;

    @Label("Freed By Reaper")
    @Description("Resources that became unreachable unclosed")
    long freedByReaper;
  }

  /**
   * Whether to create no event at all; without this check, even the event classes would be loaded.
   */
  private static boolean off() {
    return !FlightRecorder.isInitialized();
  }

  static void allocationRefused(long bytes, Account account, Account refusedBy) {
    if (off()) {
      return;
    }
    AllocationRefused event = new AllocationRefused();
    if (event.shouldCommit()) {
      event.bytes = bytes;
      event.account = account.name();
      event.refusedBy = refusedBy.name();
      event.held = refusedBy.bytes();
      event.budget = refusedBy.budgetBytes();
      event.commit();
    }
  }

  static void leaked(Leak leak) {
    if (off()) {
      return;
    }
    Leaked event = new Leaked();
    if (event.shouldCommit()) {
      event.what = leak.what();
      event.bytes = leak.bytes();
      event.scope = leak.scope();
      event.madeAt = leak.madeAt().isEmpty() ? null : leak.madeAt().getFirst().toString();
      event.commit();
    }
  }

  static void trimmed(long freed, long reserved) {
    if (off()) {
      return;
    }
    PoolTrim event = new PoolTrim();
    if (event.shouldCommit()) {
      event.freed = freed;
      event.reserved = reserved;
      event.commit();
    }
  }

  /** The caller commits the event after the collection, so that it has a duration. */
  static @Nullable Event collectionAsked(String reason, long held) {
    if (off()) {
      return null;
    }
    CollectionAsked event = new CollectionAsked();
    event.reason = reason;
    event.held = held;
    event.begin();
    return event;
  }

  static void scopeClosed(Account account, int released) {
    if (off()) {
      return;
    }
    ScopeClosed event = new ScopeClosed();
    if (event.shouldCommit()) {
      event.scope = account.name();
      event.released = released;
      event.peak = account.peakBytes();
      event.stillHeld = account.bytes();
      event.commit();
    }
  }

  /**
   * Calls {@code figures} whenever a recording is due to have a {@link Memory} event.
   *
   * @return false if nothing has been recorded so far; ask again later
   */
  static boolean addFigures(Runnable figures) {
    if (off()) {
      return false;
    }
    FlightRecorder.addPeriodicEvent(Memory.class, figures);
    return true;
  }

  static void removeFigures(Runnable figures) {
    FlightRecorder.removePeriodicEvent(figures);
  }

  static void figures(MemoryMetrics now) {
    Memory event = new Memory();
    if (event.shouldCommit()) {
      event.held = now.heldBytes();
      event.budget = now.budgetBytes();
      event.reserved = now.reservedBytes();
      event.mapped = now.mappedBytes();
      event.poolHits = now.poolHits();
      event.poolMisses = now.poolMisses();
      event.freedByReaper = now.freedByReaper();
      event.commit();
    }
  }
}
