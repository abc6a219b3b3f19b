package dev.staunch.eager;

import dev.staunch.eager.operators.ActivationFunctions;
import dev.staunch.eager.operators.Arithmetic;
import dev.staunch.eager.operators.Comparisons;
import dev.staunch.eager.operators.Conversions;
import dev.staunch.eager.operators.InPlace;
import dev.staunch.eager.operators.Layers;
import dev.staunch.eager.operators.LinearAlgebra;
import dev.staunch.eager.operators.MathFunctions;
import dev.staunch.eager.operators.RandomFills;
import dev.staunch.eager.operators.Reductions;
import dev.staunch.eager.operators.Shaping;
import dev.staunch.eager.operators.Sorting;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceHolder;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The user's handle on a tensor: a value that may still be pending, or a {@link Fault}. Operations
 * return handles and never throw; reading ({@link #floats()}, {@link #shape()}, {@link #value()})
 * is the edge: it waits until it is its turn and throws a fault as its typed exception, at every
 * read. It waits no longer than the {@linkplain Context#within(CancelScope,
 * java.util.function.Supplier) scope} allows in which it is called.
 *
 * <p>Operations on the same memory happen in the order in which they were called, views included,
 * whatever thread computes them; operations on different tensors may run in parallel. A tensor
 * belongs to the scope it was made in, which closes it at the latest. Thread-safe.
 *
 * <p>Null where an operand is required is a value fault of the result; where another value is, a
 * NullPointerException that names the parameter.
 */
public final class Tensor extends Handle
    implements AutoCloseable,
        ResourceHolder,
        Index,
        ActivationFunctions<Tensor>,
        Arithmetic<Tensor>,
        Comparisons<Tensor>,
        Conversions<Tensor>,
        InPlace<Tensor>,
        Indexing,
        Layers<Tensor>,
        LinearAlgebra<Tensor>,
        MathFunctions<Tensor>,
        RandomFills<Tensor>,
        Reading,
        Reductions<Tensor>,
        Shaping<Tensor>,
        Sorting<Tensor> {
  private static final Duration PRINT_PATIENCE = Duration.ofSeconds(1);

  private final Context context;

  /** A handle on what is there, with memory that {@code data} orders, be it its own or not. */
  Tensor(Context context, Variable data, Object content) {
    super(data, content);
    this.context = context;
  }

  /** A pending handle, which may get the memory of {@code viewed}, if that is not null. */
  Tensor(Context context, @Nullable Handle viewed) {
    super(viewed);
    this.context = context;
  }

  /** The context that this belongs to. */
  public Context context() {
    return context;
  }

  @Override
  public Tensor apply(String operation, Object... arguments) {
    return context.apply(operation, arguments);
  }

  @Override
  public Tensor applyInPlace(String operation, Object... arguments) {
    Fault misuse = WritingCall.misuse(context.signatures(), operation, arguments, this);
    return misuse == null ? context.apply(operation, arguments) : context.fail(this, misuse);
  }

  @Override
  public Tensor[] applyMany(String operation, int results, Object... arguments) {
    return context.applyMany(operation, results, arguments);
  }

  @Override
  public Tensor[] applyList(String operation, Object... arguments) {
    return context.applyList(operation, arguments);
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
   * cycle.
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
    return content() instanceof DenseTensor tensor && !tensor.isClosed()
        ? List.of(tensor)
        : List.of();
  }

  /** As {@link #fault()}, for those who hand the fault on: nobody has read it by that. */
  @Nullable Fault peekFault() {
    return new TensorRead<>(this, tensor -> tensor)
        .outcome(context.engineContext(), context.cancel());
  }

  @Override
  public Shape shape() {
    return value().shape();
  }

  @Override
  public DType dtype() {
    return value().dtype();
  }

  /** Whether both have the same shape and the same values; dtypes promote, NaN equals nothing. */
  public boolean equal(Tensor other) {
    if (!shape().equals(Objects.requireNonNull(other, "other").shape())) {
      return false;
    }
    try (Tensor same = apply("aten::eq.Tensor", this, other);
        Tensor all = same.all()) {
      return all.itemBoolean();
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
