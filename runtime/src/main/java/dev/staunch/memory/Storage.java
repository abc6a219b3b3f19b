package dev.staunch.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;

/**
 * Off-heap bytes shared by the tensors that view them (M1): 64-byte aligned, reference-counted, and
 * counted in the account of whoever asked for them. Made by {@link ResourceScope#allocate}.
 *
 * <p>A new storage has one reference. {@link #retain} adds one if the storage still lives, {@link
 * #release} drops one; at none the block returns to the pool. If every owner becomes unreachable
 * without releasing, a cleaner returns it (M2). Thread-safe; reading and writing the bytes is
 * ordered by the caller.
 */
public final class Storage {
  /** The part that outlives the storage object; it must not refer to it. */
  private static final class Life implements Runnable {
    private static final VarHandle REFERENCES;

    static {
      try {
        REFERENCES = MethodHandles.lookup().findVarHandle(Life.class, "references", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final BlockPool.Block block;
    private final BlockPool pool;
    private final Account owner;
    private final long bytes;
    private volatile int references = 1;

    Life(BlockPool.Block block, BlockPool pool, Account owner, long bytes) {
      this.block = block;
      this.pool = pool;
      this.owner = owner;
      this.bytes = bytes;
    }

    boolean retain() {
      int seen;
      do {
        seen = references;
        if (seen == 0) {
          return false;
        }
      } while (!REFERENCES.compareAndSet(this, seen, seen + 1));
      return true;
    }

    boolean release() {
      int before = (int) REFERENCES.getAndAdd(this, -1);
      if (before <= 0) {
        throw new IllegalStateException("a storage was released more often than retained");
      }
      if (before == 1) {
        free();
        return true;
      }
      return false;
    }

    private void free() {
      owner.subtract(bytes);
      pool.give(block);
    }

    /** The cleaner's way: the storage object is unreachable. */
    @Override
    public void run() {
      if ((int) REFERENCES.getAndSet(this, 0) > 0) {
        free();
      }
    }
  }

  private final MemorySegment segment;
  private final Life life;
  private final Cleaner.Cleanable cleanable;

  Storage(BlockPool.Block block, long bytes, Account owner, BlockPool pool, Cleaner cleaner) {
    this.segment = block.segment().asSlice(0, bytes);
    this.life = new Life(block, pool, owner, bytes);
    this.cleanable = cleaner.register(this, life);
  }

  /** The bytes, native order. Valid while the caller holds a reference; never keep it longer. */
  public MemorySegment segment() {
    return segment;
  }

  public long byteSize() {
    return life.bytes;
  }

  public boolean isAlive() {
    return life.references > 0;
  }

  /** References held now; for tests and metrics. */
  public int references() {
    return life.references;
  }

  /** Adds a reference, unless the storage is gone already: then false. */
  public boolean retain() {
    return life.retain();
  }

  /** Drops a reference that the caller holds. */
  public void release() {
    if (life.release()) {
      cleanable.clean();
    }
  }
}
