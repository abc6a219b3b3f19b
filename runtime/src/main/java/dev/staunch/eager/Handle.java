package dev.staunch.eager;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@code Tensor}: pending until settled with a concrete tensor or a fault, in use by
 * deferred operations, or closed. It also holds the variable that orders the operations on its
 * memory. Thread-safe.
 */
class Handle {
  private static final int CLOSED = 1 << 30;
  private static final int HELD = 1 << 29;
  private static final VarHandle USES =
      fieldVarHandle(MethodHandles.lookup(), "uses", VarHandle.class, Handle.class, int.class);
  private static final VarHandle CONTENT =
      fieldVarHandle(
          MethodHandles.lookup(), "content", VarHandle.class, Handle.class, Object.class);
  private static final VarHandle BIRTH =
      fieldVarHandle(
          MethodHandles.lookup(), "birth", VarHandle.class, Handle.class, Variable.class);

  /**
   * Written once, when the handle gets its content. A handle that is settled from the start makes
   * it for the first operation that takes a turn.
   */
  private volatile @Nullable Variable birth;

  /** Of a handle that was pending. */
  private final @Nullable Origin origin;

  /** Orders the accesses to the memory, unless {@code birth} does; written before the content. */
  private @Nullable Variable shared;

  private volatile @Nullable Object content;
  private @Nullable Uses readingData;

  /**
   * How many deferred operations use this handle; whether it was closed; and whether it holds its
   * memory for them, in case the scope of the tensor is closed.
   */
  private volatile int uses;

  /**
   * A settled handle whose memory {@code data} orders; null for memory that nothing else orders.
   */
  Handle(@Nullable Variable data, Object content) {
    BIRTH.setRelease(this, data); // no other thread sees this handle yet
    this.origin = null;
    CONTENT.setRelease(this, content);
  }

  /**
   * A pending handle; it may share the memory of {@code viewed}, if that is not null.
   *
   * @param scope the scope that the result will be in
   */
  Handle(@Nullable Handle viewed, ResourceScope scope) {
    Variable own = new Variable();
    this.birth = own;
    this.origin = new Origin(viewed == null ? null : with(viewed.turns(), own), scope);
  }

  /**
   * @param candidates the variables that may come to order the reads and writes of a pending view;
   *     operations take turns with all of them until that is known. Null if it can be no view
   * @param scope closes the tensor, even before it is there
   */
  private record Origin(Variable @Nullable [] candidates, ResourceScope scope) {}

  private static Variable[] with(Variable[] others, Variable own) {
    Variable[] all = Arrays.copyOf(others, others.length + 1);
    all[others.length] = own;
    return all;
  }

  /**
   * The variable that orders accesses to the memory; the handle's own while that is undecided, or
   * if it failed.
   */
  Variable data() {
    Variable known = shared;
    return known == null ? birth() : known;
  }

  /**
   * The {@linkplain Variable#stamp stamp} of {@link #data}; that of an unwritten variable as long
   * as there is none: who writes makes it first.
   */
  long stamp() {
    VarHandle.loadLoadFence(); // the read happened before this
    Variable known = shared;
    known = known == null ? birth : known;
    return known == null ? Variable.UNWRITTEN : known.stamp();
  }

  /** The variables on which an operation that is called now takes its turn for this handle. */
  Variable[] turns() {
    Variable[] undecided = origin == null || content != null ? null : origin.candidates;
    return undecided == null ? new Variable[] {data()} : undecided;
  }

  /** Whether {@link #data} is not final yet. */
  boolean isUndecided() {
    return content == null && isView();
  }

  /** Shared by all reads of this handle. */
  Uses reading() {
    if (isUndecided()) {
      return Uses.reading(turns());
    }
    Uses known = readingData;
    if (known == null) {
      known = Uses.reading(data());
      readingData = known;
    }
    return known;
  }

  Variable birth() {
    Variable known = birth;
    if (known == null) {
      Variable made = new Variable();
      Object before = BIRTH.compareAndExchange(this, null, made);
      known = before == null ? made : (Variable) before;
    }
    return known;
  }

  /** The tensor or fault, or null while it is pending. */
  @Nullable Object content() {
    return content;
  }

  /** Whether writing all of this tensor leaves nothing of its memory unchanged (F4). */
  boolean isWhole() {
    return content instanceof DenseTensor dense ? dense.isWhole() : !isView();
  }

  /** Whether this handle is settled and its elements lie in {@code memory}. */
  boolean has(Storage memory) {
    return content instanceof DenseTensor dense && dense.storage().equals(memory);
  }

  /** Whether this tensor shares, or might have shared, the memory of another. */
  boolean isView() {
    return origin != null && origin.candidates != null;
  }

  /** The fault that took the place of the tensor; not one that a later write left. */
  @Nullable Fault ownFault() {
    return content instanceof Fault fault ? fault : null;
  }

  /**
   * Gives a pending handle its content.
   *
   * @param viewed the handle whose memory it shares, or null if the memory is its own
   */
  void settle(Object outcome, @Nullable Handle viewed) {
    if (outcome instanceof DenseTensor) {
      shared = viewed == null ? null : viewed.data();
    }
    content = outcome;
    hold();
    if (uses == CLOSED) {
      closeContent();
    }
  }

  /** Gives memory of its own to a handle that has only a fault: the handle is healed (F4). */
  void assign(DenseTensor fresh) {
    content = fresh;
    hold();
    if (uses == CLOSED) {
      closeContent();
    }
  }

  /**
   * Marks this handle as in use by a deferred operation, for which it holds its memory; false if it
   * was closed before.
   */
  boolean use() {
    boolean isOpen = !isScopeClosed(); // first: whoever makes the tensor later has marked it
    isOpen &= ((int) USES.getAndAdd(this, 1) & CLOSED) == 0;
    return hold() && isOpen;
  }

  /** Whether the scope of this tensor closed it, or will when it is there. */
  private boolean isScopeClosed() {
    Object known = content;
    return known == null
        ? origin != null && origin.scope.isClosed()
        : known instanceof DenseTensor tensor && tensor.isClosed();
  }

  /**
   * Holds the memory, if it is there, for the operations that use it; false if it is gone. Those
   * that were called before the scope of the tensor was closed still read and write it.
   */
  private boolean hold() {
    int known = uses;
    if (!(content instanceof DenseTensor tensor) || (known & ~CLOSED) == 0) {
      return true;
    }
    if (!tensor.storage().retain()) {
      return false;
    }
    while ((known & HELD) == 0 && (known & ~CLOSED) != 0) {
      int before = (int) USES.compareAndExchange(this, known, known | HELD);
      if (before == known) {
        return true;
      }
      known = before;
    }
    tensor.release();
    return true;
  }

  void unuse() {
    int before;
    int left;
    do {
      before = uses;
      left = before - 1;
      left = (left & ~CLOSED) == HELD ? left & CLOSED : left;
    } while (!USES.compareAndSet(this, before, left));
    if ((before & ~left & HELD) != 0 && content instanceof DenseTensor tensor) {
      tensor.release();
    }
    if (left == CLOSED) {
      closeContent();
    }
  }

  /** Whether a deferred operation uses this handle. */
  boolean isInUse() {
    return (uses & ~(CLOSED | HELD)) != 0;
  }

  boolean wasClosed() {
    return (uses & CLOSED) != 0;
  }

  /**
   * Whether the operation that creates this tensor has finished, with a value or a fault. Reading
   * may still wait for operations that write the tensor in place.
   */
  public boolean isSettled() {
    return content != null;
  }

  public boolean isClosed() {
    return (uses & CLOSED) != 0 || isScopeClosed();
  }

  /**
   * Releases the memory, now or as soon as the operations called before have run. Views of this
   * tensor and results computed from it stay. Never waits; idempotent; may be called from any
   * thread (M2).
   */
  public void close() {
    if (USES.compareAndSet(this, 0, CLOSED) // the usual case, and the cheaper one
        || (int) USES.getAndBitwiseOr(this, CLOSED) == 0) {
      closeContent();
    }
  }

  private void closeContent() {
    if (content instanceof DenseTensor tensor) {
      tensor.close();
    }
  }
}
