package dev.staunch.eager;

import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The life of a {@code Tensor}: pending until it is settled with a concrete tensor or a fault, used
 * by operations that were put off, closed; and what orders the operations on its memory.
 * Thread-safe.
 */
class Handle {
  private static final int CLOSED = 1 << 30;
  private static final VarHandle USES;
  private static final VarHandle CONTENT;

  static {
    try {
      USES = MethodHandles.lookup().findVarHandle(Handle.class, "uses", int.class);
      CONTENT = MethodHandles.lookup().findVarHandle(Handle.class, "content", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written once, when the handle gets its content. */
  private final Variable birth;

  /**
   * Of a result that may have the memory of another: what may come to order its reads and writes,
   * and takes turns with them until that is known.
   */
  private final Variable @Nullable [] candidates;

  /** Orders what reads and writes the memory, unless {@code birth} does; written before content. */
  private @Nullable Variable shared;

  private volatile @Nullable Object content;
  private @Nullable Uses readingData;

  /** How many operations that were put off use this, and whether it was closed. */
  private volatile int uses;

  /** What is there, with memory that {@code data} orders, be it its own or not. */
  Handle(Variable data, Object content) {
    this.birth = data;
    this.candidates = null;
    CONTENT.setRelease(this, content); // nobody knows this yet
  }

  /** Pending; may get the memory of {@code viewed}, if that is not null. */
  Handle(@Nullable Handle viewed) {
    this.birth = new Variable();
    this.candidates = viewed == null ? null : with(viewed.turns(), birth);
  }

  private static Variable[] with(Variable[] others, Variable own) {
    Variable[] all = Arrays.copyOf(others, others.length + 1);
    all[others.length] = own;
    return all;
  }

  /**
   * What orders reads and writes of the memory; its own while that is undecided, or if it failed.
   */
  Variable data() {
    Variable known = shared;
    return known == null ? birth : known;
  }

  /** What an operation that is called now has to take its turn with for this. */
  Variable[] turns() {
    Variable[] all = candidates;
    return all == null || content != null ? new Variable[] {data()} : all;
  }

  /** Whether it has still to come out what {@link #data} is. */
  boolean isUndecided() {
    return content == null && candidates != null;
  }

  /** Shared by all reads of this. */
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
    return birth;
  }

  /** The tensor or fault, or null while it is pending. */
  @Nullable Object content() {
    return content;
  }

  /** Whether writing all of this leaves nothing of its memory as it was (F4). */
  boolean isWhole() {
    return content instanceof DenseTensor dense ? dense.isWhole() : !isView();
  }

  /** Whether this is there and its elements lie in {@code memory}. */
  boolean has(Storage memory) {
    return content instanceof DenseTensor dense && dense.storage().equals(memory);
  }

  /** Whether this has, or might have had, the memory of another. */
  boolean isView() {
    return candidates != null;
  }

  /** The fault because of which there is no tensor; not one that a later write left. */
  @Nullable Fault ownFault() {
    return content instanceof Fault fault ? fault : null;
  }

  /**
   * Gives a pending handle its content.
   *
   * @param viewed whose memory it has, if that is not its own
   */
  void settle(Object outcome, @Nullable Handle viewed) {
    if (outcome instanceof DenseTensor) {
      shared = viewed == null ? null : viewed.data();
    }
    content = outcome;
    if (uses == CLOSED) {
      closeContent();
    }
  }

  /** Gives a handle that has only a fault memory of its own: it is healed (F4). */
  void assign(DenseTensor fresh) {
    content = fresh;
    if (uses == CLOSED) {
      closeContent();
    }
  }

  /** Holds this for an operation that was put off; false if it had been closed before. */
  boolean use() {
    return ((int) USES.getAndAdd(this, 1) & CLOSED) == 0;
  }

  void unuse() {
    if ((int) USES.getAndAdd(this, -1) == (CLOSED | 1)) {
      closeContent();
    }
  }

  boolean wasClosed() {
    return (uses & CLOSED) != 0;
  }

  /**
   * Whether the operation that makes this is through: its value, or a fault, is there. Reading may
   * still wait for operations that write it in place.
   */
  public boolean isSettled() {
    return content != null;
  }

  public boolean isClosed() {
    return (uses & CLOSED) != 0 || (content instanceof DenseTensor tensor && tensor.isClosed());
  }

  /**
   * Gives the memory back: now, or as soon as what was called before has been computed. Views and
   * results of operations stay. Never waits; idempotent; any thread (M2).
   */
  public void close() {
    if (USES.compareAndSet(this, 0, CLOSED) // the usual case, cheaper than the other
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
