package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceHolder;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The user's handle on a tensor: a value that may still be pending, or a {@link Fault}. Operations
 * return handles and never throw; reading ({@link #floats()}, {@link #shape()}, {@link #value()})
 * is the edge: it waits until it is its turn and throws a fault as its typed exception, at every
 * read (F1, F3). It waits no longer than the {@linkplain Context#within(CancelScope,
 * java.util.function.Supplier) scope} allows in which it is called (C5).
 *
 * <p>Operations on the same memory happen in the order in which they were called, views included,
 * whatever thread computes them; operations on different tensors may run in parallel. A tensor
 * belongs to the scope it was made in, which closes it at the latest. Thread-safe.
 *
 * <p>Null where an operand is required is a value fault of the result; where another value is, a
 * NullPointerException that names the parameter.
 */
public final class Tensor
    implements AutoCloseable,
        ResourceHolder,
        Index,
        ActivationFunctions,
        Arithmetic,
        Comparisons,
        Conversions,
        InPlace,
        Indexing,
        Layers,
        LinearAlgebra,
        MathFunctions,
        RandomFills,
        Reading,
        Reductions,
        Shaping,
        Sorting {
  private static final int CLOSED = 1 << 30;
  private static final Duration PRINT_PATIENCE = Duration.ofSeconds(1);
  private static final VarHandle USES;

  static {
    try {
      USES = MethodHandles.lookup().findVarHandle(Tensor.class, "uses", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Context context;

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

  /** A handle on what is there, with memory that {@code data} orders, be it its own or not. */
  Tensor(Context context, Variable data, Object content) {
    this.context = context;
    this.birth = data;
    this.candidates = null;
    this.content = content;
  }

  /** A pending handle, which may get the memory of {@code viewed}, if that is not null. */
  Tensor(Context context, @Nullable Tensor viewed) {
    this.context = context;
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

  @Override
  public Context context() {
    return context;
  }

  /**
   * Gives a pending handle its content.
   *
   * @param viewed whose memory it has, if that is not its own
   */
  void settle(Object outcome, @Nullable Tensor viewed) {
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
   * The concrete tensor, when all that was called before has been computed.
   *
   * @throws StaunchException the tensor's fault, or that it was closed
   */
  @Override
  public DenseTensor value() {
    return read(tensor -> tensor);
  }

  /**
   * As {@link #value()}, but waits no longer than {@code wait} allows, whatever scope it is called
   * in; without end if that is null.
   */
  public DenseTensor value(@Nullable CancelScope wait) {
    return read(tensor -> tensor, wait);
  }

  /**
   * What {@code reader} makes of the concrete tensor, which nothing writes meanwhile. Runs on the
   * calling thread. A reader that waits for a write of the same memory gets a fault that names the
   * cycle (E3).
   *
   * @throws StaunchException the tensor's fault, or what {@code reader} throws, as the cause of one
   * @throws NullPointerException if {@code reader} returns null
   */
  @Override
  public <R> R read(Function<? super DenseTensor, ? extends R> reader) {
    return read(reader, context.cancel());
  }

  /**
   * As {@link #read(Function)}, but waits no longer than {@code wait} allows, whatever scope it is
   * called in; without end if that is null.
   */
  public <R> R read(Function<? super DenseTensor, ? extends R> reader, @Nullable CancelScope wait) {
    Objects.requireNonNull(reader, "reader");
    return new TensorRead<R>(this, reader).result(context.engineContext(), wait);
  }

  /**
   * The tensor's fault, or the one that ended the wait for it, or null; counts as reading it, but
   * does not clear it.
   */
  @Override
  public @Nullable Fault fault() {
    return new TensorRead<>(this, tensor -> tensor)
        .fault(context.engineContext(), context.cancel());
  }

  /**
   * The concrete tensor, for scopes that look for what to move out; waits; none if there is none. A
   * fault that a write has left goes with the memory that holds it, which may be healed there.
   */
  @Override
  public Iterable<?> held() {
    new TensorRead<>(this, tensor -> tensor).look(context.engineContext(), context.cancel());
    return content instanceof DenseTensor tensor && !tensor.isClosed()
        ? List.of(tensor)
        : List.of();
  }

  /** As {@link #fault()}, for those who hand the fault on: nobody has read it by that. */
  @Nullable Fault peekFault() {
    return new TensorRead<>(this, tensor -> tensor)
        .outcome(context.engineContext(), context.cancel());
  }

  /**
   * Whether the operation that makes this is through: its value, or a fault, is there. Reading may
   * still wait for operations that write it in place.
   */
  public boolean isSettled() {
    return content != null;
  }

  @Override
  public Shape shape() {
    return value().shape();
  }

  @Override
  public DType dtype() {
    return value().dtype();
  }

  public boolean isClosed() {
    return (uses & CLOSED) != 0 || (content instanceof DenseTensor tensor && tensor.isClosed());
  }

  /**
   * Gives the memory back: now, or as soon as what was called before has been computed. Views and
   * results of operations stay. Never waits; idempotent; any thread (M2).
   */
  @Override
  public void close() {
    if ((int) USES.getAndBitwiseOr(this, CLOSED) == 0) {
      closeContent();
    }
  }

  private void closeContent() {
    if (content instanceof DenseTensor tensor) {
      tensor.close();
    }
  }

  /**
   * The elements as NumPy prints them, dtype and shape; or the fault. Waits a second for a value
   * that is pending; never throws, and does not count as reading the fault.
   */
  @Override
  public String toString() {
    TensorRead<String> look = new TensorRead<>(this, ArrayText::described);
    return look.text(context.engineContext(), CancelScope.withDeadline(PRINT_PATIENCE));
  }
}
