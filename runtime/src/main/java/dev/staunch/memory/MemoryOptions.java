package dev.staunch.memory;

import dev.staunch.fault.Message;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How an {@link OffHeap} behaves; immutable, created at the edge.
 *
 * <p>The budget counts the bytes that storages were asked for, exactly; each storage counts once,
 * however many views share it. What the process takes from the system, {@link
 * OffHeap#reservedBytes}, is more:
 *
 * <ul>
 *   <li>Rounding. As long as nothing was freed, at most twice the bytes of the open storages, each
 *       counted as at least 64 bytes, plus 16 MiB. Over 4 MiB, a new block is at most an eighth
 *       larger than asked for, and a reused one at most 41 %.
 *   <li>Freed blocks that the pool keeps. They are returned before an allocation would take the
 *       process beyond the budget, if that is worth it, and when more than {@code idleBytes} have
 *       been idle for half a minute. Those over 4 MiB are kept up to {@code cachedBytes} in all.
 *   <li>What cannot be returned. Blocks up to 4 MiB are cut from slabs of up to 8 MiB, and a slab
 *       stays while a single block of it is in use. This adds up only with many storages of very
 *       different lifetimes.
 * </ul>
 *
 * <p>Mapped files, the Java heap and the JVM's own memory are not counted here. So give the
 * container a third more than the budget, as {@link #defaults} assumes, plus the maximum size of
 * the heap.
 *
 * @param budgetBytes the most bytes that storages may hold at once
 * @param strategy when the JVM is asked to look for unreachable tensors
 * @param leakDetection which resources record where they were created
 * @param leakListener receives each leak found, on the thread that found it; called only while
 *     detection is on. What it throws is logged.
 * @param cachedBytes the most bytes of freed blocks over 4 MiB that are kept for reuse
 * @param idleBytes the pool trims itself when it keeps more free bytes than this for a while
 * @param reclaimWait the longest that an allocation at its limit waits until it may ask for a
 *     collection, and again for what that finds
 * @param guarded whether each storage gets memory of its own, filled with a pattern before and
 *     after its use and then closed. An invalid access then throws an exception, and uninitialized
 *     elements become visible. Slow, for tests. The system property {@value #GUARD} makes it the
 *     default.
 */
public record MemoryOptions(
    long budgetBytes,
    ReclaimStrategy strategy,
    LeakDetection leakDetection,
    Consumer<Leak> leakListener,
    long cachedBytes,
    long idleBytes,
    Duration reclaimWait,
    boolean guarded) {
  /** The system property that makes {@code guarded} the default if it is {@code true}. */
  public static final String GUARD = "dev.staunch.memory.guard";

  private static final long LEAST_BUDGET = 64L << 20;
  private static final long MOST_CACHED = 1L << 30;
  private static final long MOST_IDLE = 256L << 20;

  public MemoryOptions {
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(leakDetection, "leakDetection");
    Objects.requireNonNull(leakListener, "leakListener");
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException(
          "`budgetBytes` must be positive, but it is " + budgetBytes);
    }
    if (cachedBytes < 0 || idleBytes < 0 || reclaimWait.isNegative()) {
      throw new IllegalArgumentException(
          Message.of(
              "`cachedBytes` %d, `idleBytes` %d and `reclaimWait` %s must not be negative",
              cachedBytes, idleBytes, reclaimWait));
    }
  }

  /** The defaults for a given budget: leaves collections to the JVM, looks for no leaks. */
  public static MemoryOptions withBudget(long budgetBytes) {
    return new MemoryOptions(
        budgetBytes,
        ReclaimStrategy.LEAVE_TO_JVM,
        LeakDetection.OFF,
        new LeakLog(),
        Math.min(MOST_CACHED, budgetBytes / 4),
        Math.min(MOST_IDLE, budgetBytes),
        Duration.ofSeconds(1),
        Boolean.getBoolean(GUARD));
  }

  /**
   * A budget of three quarters of what remains when the heap's maximum is subtracted from the
   * memory of the container or machine; at least 64 MiB.
   */
  public static MemoryOptions defaults() {
    return withBudget(defaultBudget(MachineMemory.bytes(), Runtime.getRuntime().maxMemory()));
  }

  static long defaultBudget(long machineBytes, long mostHeapBytes) {
    return Math.max(LEAST_BUDGET, (machineBytes - mostHeapBytes) / 4 * 3);
  }

  public MemoryOptions withStrategy(ReclaimStrategy other) {
    return new MemoryOptions(
        budgetBytes,
        other,
        leakDetection,
        leakListener,
        cachedBytes,
        idleBytes,
        reclaimWait,
        guarded);
  }

  public MemoryOptions withLeakDetection(LeakDetection other) {
    return new MemoryOptions(
        budgetBytes, strategy, other, leakListener, cachedBytes, idleBytes, reclaimWait, guarded);
  }

  public MemoryOptions withLeakListener(Consumer<Leak> other) {
    return new MemoryOptions(
        budgetBytes, strategy, leakDetection, other, cachedBytes, idleBytes, reclaimWait, guarded);
  }

  public MemoryOptions withCachedBytes(long other) {
    return new MemoryOptions(
        budgetBytes, strategy, leakDetection, leakListener, other, idleBytes, reclaimWait, guarded);
  }

  public MemoryOptions withIdleBytes(long other) {
    return new MemoryOptions(
        budgetBytes,
        strategy,
        leakDetection,
        leakListener,
        cachedBytes,
        other,
        reclaimWait,
        guarded);
  }

  public MemoryOptions withReclaimWait(Duration other) {
    return new MemoryOptions(
        budgetBytes, strategy, leakDetection, leakListener, cachedBytes, idleBytes, other, guarded);
  }

  public MemoryOptions withGuard(boolean other) {
    return new MemoryOptions(
        budgetBytes,
        strategy,
        leakDetection,
        leakListener,
        cachedBytes,
        idleBytes,
        reclaimWait,
        other);
  }
}
