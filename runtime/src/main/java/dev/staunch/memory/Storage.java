package dev.staunch.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap bytes shared by the tensors that view them: 64-byte aligned, reference-counted, and
 * charged to the account of the scope that asked for them. A scope creates a storage by allocating
 * or mapping it.
 *
 * <p>A new storage has one reference. {@link #retain} adds one if the storage is still alive,
 * {@link #release} drops one; with the last, the bytes return to the pool or the file is unmapped.
 * The reaper does not watch storages themselves: the holder of a bare one wraps it in a tensor or
 * releases it. Thread-safe; the caller orders reads and writes of the bytes.
 */
public final class Storage implements Releasable {
  private static final VarHandle REFERENCES =
      fieldVarHandle(
          MethodHandles.lookup(), "references", VarHandle.class, Storage.class, int.class);
  private static final VarHandle VERSION =
      fieldVarHandle(MethodHandles.lookup(), "version", VarHandle.class, Storage.class, int.class);

  private MemorySegment segment;
  private final Source source;
  private final int generation;
  private volatile int references;
  private volatile int version;

  /**
   * The account that is charged; null for a mapped file. Changed by moves, under this object's
   * lock.
   */
  private @Nullable Account owner;

  Storage(MemorySegment segment, Source source, int generation, @Nullable Account owner) {
    this.segment = segment;
    this.source = source;
    this.generation = generation;
    this.owner = owner;
    REFERENCES.set(this, 1);
  }

  /** The bytes, in native order. Valid while the caller holds a reference; never keep it longer. */
  public MemorySegment segment() {
    return segment;
  }

  /** As {@link #segment}; null if the last reference is gone. */
  public @Nullable MemorySegment segmentIfAlive() {
    return references > 0 ? segment : null;
  }

  public long byteSize() {
    return segment.byteSize();
  }

  /** Whether writing is an error, because a file is mapped read-only. */
  public boolean isReadOnly() {
    return segment.isReadOnly();
  }

  public boolean isAlive() {
    return references > 0;
  }

  /**
   * A number that changes with each operation that was to write the bytes, through any tensor, even
   * if the operation failed; it wraps around. A caller that keeps it can tell whether the bytes
   * have changed since.
   */
  public int version() {
    return version;
  }

  /**
   * Whether this storage has exactly {@code bytes} bytes that can be written, and a single
   * reference.
   */
  public boolean isExclusive(long bytes) {
    return references == 1 && segment.byteSize() == bytes && !segment.isReadOnly();
  }

  /** References held now; for tests and metrics. */
  public int references() {
    return references;
  }

  /**
   * Makes the bytes writable: a copy replaces those of a read-only part. Readers that hold the old
   * segment keep seeing it while the storage is alive; as always, the caller has to keep readers
   * and writers apart. Returns the fault that prevented it, or null.
   */
  public @Nullable Fault makeWritable() {
    VERSION.getAndAdd(this, 1);
    return segment.isReadOnly() ? copyOnWrite() : null;
  }

  private synchronized @Nullable Fault copyOnWrite() {
    if (!segment.isReadOnly()) {
      return null;
    }
    Object copy = source.copy(segment);
    if (copy instanceof Fault fault) {
      return fault;
    }
    segment = (MemorySegment) copy;
    return null;
  }

  /** Adds a reference; returns false if the storage is already gone. */
  public boolean retain() {
    int seen;
    do {
      seen = references;
      if (seen <= 0) {
        return false;
      }
    } while (!REFERENCES.compareAndSet(this, seen, seen + 1));
    return true;
  }

  /**
   * Drops a reference that the caller holds.
   *
   * @throws IllegalStateException if there was none to drop
   */
  @Override
  public void release() {
    int before = (int) REFERENCES.getAndAdd(this, -1);
    if (before == 1) {
      Account charged = owner;
      try {
        source.giveBack(generation);
      } finally {
        if (charged != null) {
          charged.give(segment.byteSize());
        }
      }
    } else if (before <= 0) {
      refuse();
    }
  }

  /** As {@link #release}, and unlinks {@code leaving}, which had the reference, from its list. */
  void release(Members home, Life leaving) {
    int before = (int) REFERENCES.getAndAdd(this, -1);
    Account charged = before == 1 ? owner : null;
    try {
      if (before == 1) {
        source.giveBack(generation);
      } else if (before <= 0) {
        refuse();
      }
    } finally {
      if (charged == null) {
        home.remove(leaving);
      } else {
        charged.give(segment.byteSize(), home, leaving);
      }
    }
  }

  private void refuse() {
    REFERENCES.getAndAdd(this, 1);
    throw new IllegalStateException("a storage was released more often than retained");
  }

  /** Charges {@code to} instead of {@code from}, if {@code from} is charged now. */
  void transfer(Account from, Account to) {
    if (!retain()) {
      return; // nothing is charged any more
    }
    synchronized (this) {
      if (owner == from && from.transfer(segment.byteSize(), to)) {
        owner = to;
      }
    }
    release();
  }
}
