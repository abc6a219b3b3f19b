package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.foreign.Arena;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All that an {@link OffHeap} consists of, apart from the handle that users hold: the reaper's
 * thread keeps this alive until nothing is held, while the handle may become unreachable. Nothing
 * in here refers to that handle, to a scope or to a resource. Thread-safe.
 */
final class MemoryCore {
  private static final int HOLDERS_NAMED = 5;
  private static final int MOST_BUDGETS_ABOVE = 8;

  private final MemoryOptions options;
  private final Account account;
  private final BlockPool pool;
  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private final Reaper reaper = new Reaper(this, queue);
  private final CollectionRequests collections;
  private final AtomicLong mappedBytes = new AtomicLong();
  private final AtomicLong leaks = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong made = new AtomicLong();
  private final ConcurrentLinkedQueue<Arena> toClose = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;
  private long idleSince = Long.MAX_VALUE; // of the reaper's thread

  /** Keeps the reference that tells of the abandoned handle reachable. */
  Reaper.@Nullable Abandoned watch;

  MemoryCore(MemoryOptions options) {
    this.options = options;
    this.account = Account.root("process", options.budgetBytes());
    this.pool = new BlockPool(options.cachedBytes());
    this.collections = new CollectionRequests(options.strategy(), account, queue);
  }

  MemoryOptions options() {
    return options;
  }

  Account account() {
    return account;
  }

  BlockPool pool() {
    return pool;
  }

  ReferenceQueue<Object> queue() {
    return queue;
  }

  CollectionRequests collections() {
    return collections;
  }

  long mappedBytes() {
    return mappedBytes.get();
  }

  long leaks() {
    return leaks.get();
  }

  long refusals() {
    return refusals.get();
  }

  void startReaper() {
    reaper.start();
  }

  /**
   * Makes a storage with one reference, held by the caller; its content is undefined. The result is
   * a {@link Storage} or a {@link Fault}.
   */
  Object allocate(long bytes, Account owner) {
    if (bytes < 0) {
      return Fault.value("a storage cannot have " + bytes + " bytes");
    }
    if (closed) {
      return closedFault();
    }
    Account refused = owner.take(bytes);
    if (refused != null) {
      refused = makeRoom(bytes, owner, refused);
      if (refused != null) {
        return outOfBudget(bytes, owner, refused);
      }
    }
    if (collections.crossed()) {
      reaper.wake();
    }
    Block block = pool.takeFree(bytes);
    return block != null ? block.storage(bytes, owner) : allocateNew(bytes, owner);
  }

  private static Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the off-heap memory was closed before this allocation");
  }

  private Object allocateNew(long bytes, Account owner) {
    long fresh = pool.bytesToReserve(bytes);
    long unused = pool.reservedBytes() - (account.granted() - bytes);
    if (unused >= fresh / 4 && pool.reservedBytes() > options.budgetBytes() - fresh) {
      trim(); // what the pool keeps would count against the container's limit
    }
    try {
      return pool.takeNew(bytes).storage(bytes, owner);
    } catch (OutOfMemoryError | IllegalArgumentException e) { // the latter beyond what can be
      trim();
      reaper.reapFound();
    }
    try {
      return pool.takeNew(bytes).storage(bytes, owner);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      owner.give(bytes);
      refusals.incrementAndGet();
      FlightEvents.allocationRefused(bytes, owner, account);
      return Fault.of(
              FaultType.OUT_OF_MEMORY,
              "the system has no %d bytes left, although the budget has; lower the budget below what the machine has"
                  .formatted(bytes))
          .withCause(e);
    }
  }

  /** At the limit (M5): null once the bytes are taken, or the account that still refuses. */
  private @Nullable Account makeRoom(long bytes, Account owner, Account refusedFirst) {
    Account refused = retake(bytes, owner, refusedFirst);
    if (refused == null) {
      return null;
    }
    if (refused == account) {
      trim();
    }
    reaper.reapFound();
    refused = retake(bytes, owner, refused);
    CollectionRequests.Sentinel sentinel = refused == null ? null : collections.askAtLimit();
    return refused == null || sentinel == null ? refused : await(bytes, owner, refused, sentinel);
  }

  /** Tries again once the credit below {@code limit} is called in; one thread at a time. */
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

  private @Nullable Account await(
      long bytes, Account owner, Account refusedFirst, CollectionRequests.Sentinel sentinel) {
    long until = System.nanoTime() + options.reclaimWait().toNanos();
    Account refused = retake(bytes, owner, refusedFirst);
    try {
      while (refused != null && System.nanoTime() - until < 0) {
        boolean last = sentinel.seen; // then all that the collection found is in the queue
        boolean found = reaper.reapNext();
        refused = retake(bytes, owner, refused);
        if (last && !found) {
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return refused;
  }

  private Fault outOfBudget(long bytes, Account owner, Account refused) {
    refusals.incrementAndGet();
    FlightEvents.allocationRefused(bytes, owner, refused);
    long budget = refused.budgetBytes();
    long held = refused.bytes();
    String holders = refused.largestHolders(HOLDERS_NAMED);
    String text =
        "%d bytes for %s do not fit the memory budget of %s, %d bytes, of which %d are held%s; close what is no longer used, or raise the budget"
            .formatted(
                bytes,
                owner.name(),
                refused.name(),
                budget,
                held,
                holders.isEmpty() ? "" : " (" + holders + ")");
    return Fault.of(FaultType.OUT_OF_MEMORY, text)
        .withExpected("at most " + Math.max(0, budget - held) + " bytes", bytes + " bytes");
  }

  Object map(Path file, long offset, long length, boolean readOnly) {
    return closed ? closedFault() : FileMapping.open(this, file, offset, length, readOnly);
  }

  /** Counts bytes that were mapped, or unmapped if negative. */
  void mapped(long bytes) {
    mappedBytes.addAndGet(bytes);
  }

  /** For an arena that a system call uses just now. */
  void closeLater(Arena arena) {
    toClose.add(arena);
  }

  boolean watchesLeaks() {
    return options.leakDetection().isOn();
  }

  /** Where {@code resource} is made, for the one in so many that remember. */
  @Nullable Creation creation(Resource resource, String scope) {
    return made.getAndIncrement() % options.leakDetection().every() == 0
        ? Creation.of(resource, scope)
        : null;
  }

  /** Releases what nobody can reach any more. */
  void reap(Life life) {
    long bytes = life.part() instanceof Storage storage ? storage.byteSize() : 0;
    try {
      if (!life.end(Life.Way.REAPED)) {
        return;
      }
    } finally {
      leaks.incrementAndGet();
    }
    report(life.creation, bytes, true);
  }

  private void report(@Nullable Creation creation, long bytes, boolean unreachable) {
    if (creation != null) {
      Leak leak = creation.leak(bytes, unreachable);
      FlightEvents.leaked(leak);
      options.leakListener().accept(leak);
    }
  }

  /** What the reaper does now and then besides reaping. */
  void tick() {
    collections.tick();
    toClose.removeIf(Arenas::close);
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

  long trim() {
    toClose.removeIf(Arenas::close);
    long freed = pool.trim();
    FlightEvents.trimmed(freed, pool.reservedBytes());
    return freed;
  }

  boolean isIdle() {
    return account.bytes() == 0 && mappedBytes.get() == 0;
  }

  /** What is open still, as a leak report would say it. */
  List<Leak> open() {
    List<Leak> all = new ArrayList<>();
    for (Account each : account.tree()) {
      for (Life life : each.members().snapshot()) {
        all.add(described(life, each.name()));
      }
    }
    return all;
  }

  private static Leak described(Life life, String scope) {
    long bytes = life.part() instanceof Storage storage ? storage.byteSize() : 0;
    Creation creation = life.creation;
    return creation != null
        ? creation.leak(bytes, false)
        : new Leak("a resource", bytes, scope, Duration.ZERO, false, List.of());
  }

  /** Ends everything that is open, reports it as leaked, and gives the pool back. */
  void close() {
    closed = true;
    for (Account each : account.tree()) {
      for (Life life : each.members().snapshot()) {
        endOpen(life, each);
      }
    }
    trim();
    reaper.end();
  }

  private void endOpen(Life life, Account home) {
    Leak leak = described(life, home.name());
    if (life.end(Life.Way.EXPLICIT)) {
      leaks.incrementAndGet();
      if (life.creation != null) {
        FlightEvents.leaked(leak);
        options.leakListener().accept(leak);
      }
    }
  }
}
