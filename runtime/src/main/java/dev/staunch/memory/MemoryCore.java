package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Everything that makes up an {@link OffHeap}, apart from the handle that users hold. The reaper's
 * thread keeps this alive until nothing is held, while the handle may become unreachable. Nothing
 * in here refers to that handle, to a scope or to a resource. Thread-safe.
 */
final class MemoryCore implements Reaper.Chores {
  private final MemoryOptions options;
  private final Account account;
  final BlockPool pool;
  final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  final CollectionRequests collections;
  final LeakWatch leaks;
  private final Reaper reaper;
  final Limit limit;
  final MappedFiles files = new MappedFiles();
  private final AtomicInteger unwanted = new AtomicInteger();
  volatile boolean closed;
  private long idleSince = Long.MAX_VALUE; // confined to the reaper's thread

  /** Keeps the reference that reports an abandoned handle reachable. */
  Reaper.@Nullable Abandoned watch;

  @SuppressWarnings("this-escape") // the reaper's thread starts when everything is constructed
  MemoryCore(MemoryOptions options) {
    this.options = options;
    this.account = Account.root("process", options.budgetBytes());
    this.pool = new BlockPool(options.cachedBytes(), options.guarded());
    this.leaks = new LeakWatch(options);
    this.collections = new CollectionRequests(options, account, queue);
    this.reaper = new Reaper(this, collections, leaks, queue);
    this.limit = new Limit(account, this::trim, collections, reaper, options.reclaimWait());
  }

  MemoryOptions options() {
    return options;
  }

  Account account() {
    return account;
  }

  long mappedBytes() {
    return files.bytes();
  }

  /** Called before there is anything to find; idempotent. */
  void startReaper() {
    reaper.start();
  }

  /**
   * Creates a storage with one reference, held by the caller; its content is undefined. Returns a
   * {@link Storage} or a {@link Fault}.
   *
   * @param asker may give up while this waits; null if the caller never does
   */
  Object allocate(long bytes, Account owner, @Nullable Asker asker) {
    if (bytes < 0) {
      return Fault.value("a storage cannot have " + bytes + " bytes");
    }
    if (closed) {
      return closedFault();
    }
    Account refused = owner.take(bytes);
    if (refused != null) {
      refused = limit.makeRoom(bytes, owner, refused, asker);
      if (refused != null) {
        Fault stop = asker == null ? null : asker.cancelled();
        return stop == null ? limit.outOfBudget(bytes, owner, refused) : stop;
      }
    }
    if (collections.watchesHeld) {
      taken();
    }
    Block block = pool.takeFree(bytes);
    return block != null ? storage(block, bytes, owner) : allocateNew(bytes, owner, asker);
  }

  /** Called after bytes were taken, if a strategy watches how many are held. */
  void taken() {
    if (collections.crossed()) {
      reaper.wake();
    }
  }

  private Storage storage(Block block, long bytes, Account owner) {
    try {
      return block.storage(bytes, owner);
    } catch (OutOfMemoryError e) { // of the heap
      pool.give(block);
      owner.give(bytes);
      throw e;
    }
  }

  private static Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the off-heap memory was closed before this allocation");
  }

  private Object allocateNew(long bytes, Account owner, @Nullable Asker asker) {
    Object made =
        asker == null || bytes < FreshBlock.LEAST
            ? newBlock(bytes)
            : FreshBlock.take(this, bytes, asker);
    if (made instanceof Block block) {
      return storage(block, bytes, owner);
    }
    owner.give(bytes);
    return made instanceof Throwable none ? limit.outOfSystem(bytes, owner, none) : made;
  }

  /** A block from the system, or what the system throws instead. */
  Object newBlock(long bytes) {
    long fresh = pool.bytesToReserve(bytes);
    long unused = pool.reservedBytes() - (account.granted() - bytes);
    if (unused >= fresh / 4 && pool.reservedBytes() > options.budgetBytes() - fresh) {
      trim(); // what the pool keeps would count against the container's limit
    }
    try {
      return pool.takeNew(bytes);
    } catch (OutOfMemoryError | IllegalArgumentException e) { // the latter for impossible sizes
      trim();
      reaper.reapFound();
    }
    try {
      return pool.takeNew(bytes);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      return e;
    }
  }

  /** Keeps a block that turned out not to be wanted, if the cap allows it. */
  void takeBack(Block block) {
    pool.give(block);
    if (closed || pool.reservedBytes() > options.budgetBytes()) {
      trim();
    }
  }

  /** The number of blocks being created that no caller waits for any more. */
  AtomicInteger unwanted() {
    return unwanted;
  }

  Object map(Path file, long offset, long length) {
    return closed ? closedFault() : FileMapping.open(files, file, offset, length);
  }

  Object map(FileChannel channel, Path file, long offset, long length) {
    return closed ? closedFault() : FileMapping.of(files, channel, file, offset, length);
  }

  /** What the reaper does from time to time besides reaping. */
  @Override
  public void tick() {
    collections.tick();
    files.closeDue();
    long unused = pool.reservedBytes() - account.granted();
    if (unused <= options.idleBytes()) {
      idleSince = Long.MAX_VALUE;
    } else if (idleSince == Long.MAX_VALUE) {
      idleSince = System.nanoTime();
    } else if (System.nanoTime() - idleSince > Duration.ofSeconds(30).toNanos()) {
      idleSince = Long.MAX_VALUE;
      trim();
    }
  }

  @Override
  public long trim() {
    files.closeDue();
    long freed = pool.trim();
    FlightEvents.trimmed(freed, pool.reservedBytes());
    return freed;
  }

  @Override
  public boolean isIdle() {
    return account.bytes() == 0 && files.bytes() == 0 && unwanted.get() == 0;
  }

  @Override
  public MemoryMetrics metrics() {
    Members.Counts counts = account.counts();
    return new MemoryMetrics(
        account.bytes(),
        account.peakBytes(),
        account.budgetBytes(),
        pool.reservedBytes(),
        pool.freeBytes(),
        mappedBytes(),
        counts.made(),
        counts.explicit(),
        counts.byScope(),
        counts.reaped(),
        pool.hits(),
        pool.misses(),
        leaks.count(),
        collections.asked(),
        pool.trims(),
        limit.refusals());
  }

  /** Ends everything that is open, reports it as leaked, and releases the pool. */
  void close() {
    closed = true;
    Attempts failures = new Attempts();
    for (Account each : account.tree()) {
      for (Life life : each.members().snapshot()) {
        failures.attempt(() -> leaks.endOpen(life, each.name()));
      }
    }
    trim();
    reaper.end();
    failures.throwIfAny();
  }
}
