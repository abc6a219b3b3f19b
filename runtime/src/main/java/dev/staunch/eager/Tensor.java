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
import dev.staunch.memory.ResourceScope;
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
 * return handles and never throw. Reading ({@link #floats()}, {@link #shape()}, {@link #value()})
 * is the edge: every read waits for its turn and throws a fault as its typed exception. It waits no
 * longer than the enclosing {@linkplain Context#within(CancelScope, java.util.function.Supplier)
 * scope} allows.
 *
 * <p>Operations on the same memory, including its views, happen in the order in which they were
 * called, whatever thread computes them. Operations on different tensors may run in parallel. A
 * tensor belongs to the scope in which it was created, which closes it at the latest. Thread-safe.
 *
 * <p>Passing null for a required operand gives a result with a value fault. Passing null for any
 * other value throws a NullPointerException that names the parameter.
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

  /**
   * A settled handle whose memory {@code data} orders; null for memory that nothing else orders.
   */
  Tensor(Context context, @Nullable Variable data, Object content) {
    super(data, content);
    this.context = context;
  }

  /** A pending handle, which may share the memory of {@code viewed}, if that is not null. */
  Tensor(Context context, @Nullable Handle viewed, ResourceScope scope) {
    super(viewed, scope);
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
   * The concrete tensor, once every operation called before has been computed.
   *
   * @throws StaunchException the tensor's fault, or the fault that it was closed
   */
  @Override
  public DenseTensor value() {
    return read(tensor -> tensor);
  }

  /**
   * As {@link #value()}, but waits as long as {@code wait} allows, whatever scope the call is in;
   * without limit if {@code wait} is null.
   */
  public DenseTensor value(@Nullable CancelScope wait) {
    return read(tensor -> tensor, wait);
  }

  /**
   * Applies {@code reader} to the concrete tensor, which is not written meanwhile. Runs on the
   * calling thread. A reader that waits for a write of the same memory gets a fault that names the
   * cycle.
   *
   * @throws StaunchException the tensor's fault, or a fault whose cause is what {@code reader}
   *     threw
   * @throws NullPointerException if {@code reader} returns null
   */
  @Override
  public <R> R read(Function<? super DenseTensor, ? extends R> reader) {
    return read(reader, context.cancel());
  }

  /**
   * As {@link #read(Function)}, but waits as long as {@code wait} allows, whatever scope the call
   * is in; without limit if {@code wait} is null.
   */
  public <R> R read(Function<? super DenseTensor, ? extends R> reader, @Nullable CancelScope wait) {
    Objects.requireNonNull(reader, "reader");
    return new TensorRead<R>(this, reader).result(context.engineContext(), wait);
  }

  /**
   * The tensor's fault, or the one that ended the wait for it, or null. Marks the fault as read,
   * but does not clear it.
   */
  public @Nullable Fault fault() {
    return new TensorRead<>(this, tensor -> tensor)
        .fault(context.engineContext(), context.cancel());
  }

  /**
   * The concrete tensor, for scopes that look for resources to move out; waits for it; empty if
   * there is none. A fault that a write left moves with the memory that holds it, which may be
   * healed there.
   */
  @Override
  public Iterable<?> held() {
    new TensorRead<>(this, tensor -> tensor).look(context.engineContext(), context.cancel());
    return content() instanceof DenseTensor tensor && !tensor.isClosed()
        ? List.of(tensor)
        : List.of();
  }

  /** As {@link #fault()}, for internal callers that pass the fault on: does not mark it as read. */
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

  /** Whether all elements are {@linkplain #isClose close}; shapes broadcast. */
  public boolean allClose(Tensor other, double rtol, double atol) {
    return (boolean)
        context.applyValue(
            "aten::allclose", this, Objects.requireNonNull(other, "other"), rtol, atol, false);
  }

  /**
   * The elements as NumPy prints them, with dtype and shape; or the fault. Waits at most a second
   * for a pending value; never throws, and does not mark the fault as read.
   */
  @Override
  public String toString() {
    TensorRead<String> look = new TensorRead<>(this, ArrayText::described);
    return look.text(context.engineContext(), CancelScope.withDeadline(PRINT_PATIENCE));
  }
}
