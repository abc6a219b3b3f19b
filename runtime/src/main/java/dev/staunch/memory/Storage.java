package dev.staunch.memory;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap bytes shared by the tensors that view them: 64-byte aligned, reference-counted, and
 * charged to the account of the scope that asked for them. Made by a scope, which allocates or maps
 * it.
 *
 * <p>A new storage has one reference. {@link #retain} adds one if the storage still lives, {@link
 * #release} drops one; at none the bytes go back to the pool or the file is unmapped. A storage is
 * not watched by itself: whoever holds a bare one wraps it in a tensor or releases it. Thread-safe;
 * reading and writing the bytes is ordered by the caller.
 */
public final class Storage implements Releasable {
  private static final VarHandle REFERENCES;
  private static final VarHandle VERSION;

  static {
    try {
      REFERENCES = MethodHandles.lookup().findVarHandle(Storage.class, "references", int.class);
      VERSION = MethodHandles.lookup().findVarHandle(Storage.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private MemorySegment segment;
  private final Source source;
  private final int generation;
  private volatile int references;
  private volatile int version;

  /** Who is charged; null for a mapped file. Changed by hand-overs, under this object's lock. */
  private @Nullable Account owner;

  Storage(MemorySegment segment, Source source, int generation, @Nullable Account owner) {
    this.segment = segment;
    this.source = source;
    this.generation = generation;
    this.owner = owner;
    REFERENCES.set(this, 1);
  }

  /** The bytes, native order. Valid while the caller holds a reference; never keep it longer. */
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

  /** Whether writing is an error: a file mapped for reading alone. */
  public boolean isReadOnly() {
    return segment.isReadOnly();
  }

  public boolean isAlive() {
    return references > 0;
  }

  /**
   * A number that is another after each operation that was to write the bytes, through whichever
   * tensor, also if it failed; it wraps. Who keeps it can tell that what he read has changed since.
   */
  public int version() {
    return version;
  }

  /** Whether these are {@code bytes} that can be written, and there is one reference to them. */
  public boolean isSole(long bytes) {
    return references == 1 && segment.byteSize() == bytes && !segment.isReadOnly();
  }

  /** References held now; for tests and metrics. */
  public int references() {
    return references;
  }

  /**
   * Sees to it that the bytes can be written: those of a read-only part are replaced by a copy.
   * Readers that hold the old segment keep seeing it while the storage lives; that none reads while
   * another writes is, as always, the caller's to order. Returns what kept it from it.
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

  /** Adds a reference, unless the storage is gone already: then false. */
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

  /** As {@link #release}, and takes {@code leaving}, which had the reference, out of its list. */
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

  /** Charges {@code to} in place of {@code from}, if it was {@code from} that was charged. */
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
