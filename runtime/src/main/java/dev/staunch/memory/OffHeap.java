package dev.staunch.memory;

import dev.staunch.fault.Message;
import dev.staunch.fault.jvm.CatchClauses;
import java.util.List;

/**
 * The off-heap memory of one runtime: a budget, an exact account, a pool of blocks and the reaper
 * that catches what was not closed. Thread-safe. Usually one per process, created at the edge.
 *
 * <p>It emits Java Flight Recorder events. {@code dev.staunch.Memory} has its figures every ten
 * seconds, or as the recording's settings say, once it has held anything; a recording that starts
 * later may miss the first ten seconds. The other events are {@code AllocationRefused}, {@code
 * Leak}, {@code PoolTrim}, {@code CollectionAsked} and {@code ScopeClosed}.
 *
 * <p>Closing it is for tests, and for programs that want to know what was left open. A memory that
 * is not closed releases everything once nothing in it is reachable.
 */
public final class OffHeap implements AutoCloseable {
  static {
    CatchClauses.prepare();
  }

  final MemoryCore core;

  @SuppressWarnings("this-escape") // a phantom reference never returns its referent
  private OffHeap(MemoryOptions options) {
    core = new MemoryCore(options);
    core.watch = new Reaper.Abandoned(this, core.queue);
  }

  public static OffHeap of(MemoryOptions options) {
    return new OffHeap(options);
  }

  /**
   * @param budget the most bytes that storages may hold at once; see {@link MemoryOptions} for what
   *     counts and what the process may hold beyond it
   */
  public static OffHeap withBudget(long budget) {
    return of(MemoryOptions.withBudget(budget));
  }

  /** With {@link MemoryOptions#defaults}. */
  public static OffHeap withDefaultBudget() {
    return of(MemoryOptions.defaults());
  }

  public MemoryOptions options() {
    return core.options();
  }

  public Account account() {
    return core.account();
  }

  public long budgetBytes() {
    return core.options().budgetBytes();
  }

  /**
   * Bytes taken from the system: blocks in use with their rounding, and what the pool keeps free.
   * May exceed the budget, which counts what storages were asked for; {@link MemoryOptions} says by
   * how much.
   */
  public long reservedBytes() {
    return core.pool.reservedBytes();
  }

  /** Bytes of mapped files; they count against no budget. */
  public long mappedBytes() {
    return core.mappedBytes();
  }

  /** All figures, read now. */
  public MemoryMetrics metrics() {
    return core.metrics();
  }

  /**
   * Returns wholly free slabs of the pool to the system.
   *
   * @return how many bytes that were
   */
  public long trim() {
    return core.trim();
  }

  /** The resources that are open now, as leak reports describe them. */
  public List<Leak> openResources() {
    return LeakWatch.open(core.account());
  }

  /**
   * Releases everything that is still open and reports it as leaked; allocating gives a fault from
   * now on. What running operations hold is released when they finish. Idempotent.
   */
  @Override
  public void close() {
    core.close();
  }

  /** {@code off-heap memory: 12.5 MiB of 4 GiB in use}. */
  @Override
  public String toString() {
    return Message.of(
        "off-heap memory: %s of %s in use",
        ByteCount.text(account().bytes()), ByteCount.text(budgetBytes()));
  }
}
