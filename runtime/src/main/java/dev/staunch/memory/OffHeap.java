package dev.staunch.memory;

import dev.staunch.fault.Message;
import dev.staunch.fault.jvm.CatchClauses;
import java.util.List;

/**
 * The off-heap memory of one runtime: a budget, an exact account, a pool of blocks and the reaper
 * that catches what nobody closed. Thread-safe. Usually one per process, made at the edge.
 *
 * <p>What happens to it can be recorded by Java Flight Recorder: {@code dev.staunch.Memory}, its
 * figures every ten seconds, or as the recording's settings say, once it has held anything (a
 * recording that begins later may miss the first ten); {@code AllocationRefused}, {@code Leak},
 * {@code PoolTrim}, {@code CollectionAsked} and {@code ScopeClosed} beside it.
 *
 * <p>Closing it is for programs that want to know what was left open, and for tests; a memory that
 * is merely dropped gives everything back once nothing in it can be reached.
 */
public final class OffHeap implements AutoCloseable {
  static {
    CatchClauses.prepare();
  }

  final MemoryCore core;

  @SuppressWarnings("this-escape") // a phantom reference never gives its referent out
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
    return core.pool().reservedBytes();
  }

  /** Bytes of mapped files; they count in no budget. */
  public long mappedBytes() {
    return core.mappedBytes();
  }

  /** All figures, read now. */
  public MemoryMetrics metrics() {
    return core.metrics();
  }

  /**
   * Gives wholly free slabs of the pool back to the system.
   *
   * @return how many bytes that were
   */
  public long trim() {
    return core.trim();
  }

  /** What is open now, as leak reports would say it. */
  public List<Leak> openResources() {
    return LeakWatch.open(core.account());
  }

  /**
   * Releases everything that is still open and reports it as leaked; allocating is a fault from now
   * on. What operations in flight hold goes back when they let go. Idempotent.
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
