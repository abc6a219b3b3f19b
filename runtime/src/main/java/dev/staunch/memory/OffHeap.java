package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.ref.Cleaner;

/**
 * The off-heap memory of one runtime: a budget, an exact account, a pool of blocks and the cleaner
 * that catches what nobody closed. Thread-safe. Usually one per process, made at the edge.
 */
public final class OffHeap {
  private final BlockPool pool = new BlockPool();
  private final Account account = Account.root("process");
  private final Cleaner cleaner = Cleaner.create();
  private final long budget;

  private OffHeap(long budget) {
    this.budget = budget;
  }

  /**
   * @param budget the most bytes that storages may hold at once
   */
  public static OffHeap withBudget(long budget) {
    if (budget <= 0) {
      throw new IllegalArgumentException("budget must be positive, got " + budget);
    }
    return new OffHeap(budget);
  }

  /**
   * A budget of three quarters of the memory that this process may use, as the JVM reads it from
   * its container or machine, less the heap's maximum; at least 64 MiB.
   */
  public static OffHeap withDefaultBudget() {
    long total = machineBytes();
    long free = total - Runtime.getRuntime().maxMemory();
    return withBudget(Math.max(64L << 20, free / 4 * 3));
  }

  private static long machineBytes() {
    java.lang.management.OperatingSystemMXBean bean =
        java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    return bean instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getTotalMemorySize()
        : 4 * Runtime.getRuntime().maxMemory();
  }

  public Account account() {
    return account;
  }

  public long budgetBytes() {
    return budget;
  }

  /** Bytes taken from the system, free blocks of the pool included. */
  public long reservedBytes() {
    return pool.reservedBytes();
  }

  /**
   * Makes a storage with one reference, held by the caller; its content is undefined. The result is
   * a {@link Storage} or a {@link Fault}: out of memory when {@code bytes} do not fit the budget.
   */
  Object allocate(long bytes, Account owner) {
    if (bytes < 0) {
      return Fault.value("a storage cannot have " + bytes + " bytes");
    }
    owner.add(bytes);
    long held = account.bytes();
    if (held > budget) {
      owner.subtract(bytes);
      return outOfBudget(bytes, owner, held - bytes);
    }
    try {
      return new Storage(pool.take(bytes), bytes, owner, pool, cleaner);
    } catch (OutOfMemoryError e) {
      owner.subtract(bytes);
      return outOfBudget(bytes, owner, held - bytes).withCause(e);
    }
  }

  private Fault outOfBudget(long bytes, Account owner, long held) {
    String text =
        "%d bytes do not fit the memory budget of %d bytes, of which %d are held (%s)"
            .formatted(bytes, budget, held, owner);
    return Fault.of(FaultType.OUT_OF_MEMORY, text)
        .withExpected("at most " + (budget - held) + " bytes", bytes + " bytes");
  }
}
