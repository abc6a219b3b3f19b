package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A read of a tensor from outside the runtime, in its turn: the edge, where faults are thrown (F1).
 */
final class TensorRead<R> extends Task {
  private final Handle tensor;
  private final Function<? super DenseTensor, ? extends R> reader;
  private @Nullable R result;
  private @Nullable Fault fault;

  TensorRead(Handle tensor, Function<? super DenseTensor, ? extends R> reader) {
    super(tensor.reading());
    this.tensor = tensor;
    this.reader = reader;
  }

  @Override
  protected Uses usesInTurn() {
    return tensor.isUndecided() ? Uses.reading(tensor.data()) : tensor.reading();
  }

  R result(EngineContext context, @Nullable CancelScope wait) {
    context.runHere(this, wait);
    if (fault != null) {
      throw fault.toException();
    }
    return Objects.requireNonNull(result, "the reader returned null");
  }

  @Nullable Fault fault(EngineContext context, @Nullable CancelScope wait) {
    Fault found = outcome(context, wait);
    if (found != null) {
      found.markRead();
    }
    return found;
  }

  /**
   * The result in words, or the fault; or that the tensor is pending, if the wait ended first.
   * Printing a fault counts as reading it.
   */
  String text(EngineContext context, CancelScope wait) {
    context.runHere(this, wait);
    if (fault == null) {
      return String.valueOf(result);
    }
    fault.markRead();
    boolean pending = fault.type() == FaultType.DEADLINE_EXCEEDED && !tensor.isSettled();
    boolean closed = fault.type() == FaultType.CLOSED && tensor.isClosed();
    return pending ? "Tensor(pending)" : closed ? "Tensor(closed)" : "Tensor(" + fault + ")";
  }

  /** Waits for its turn. This neither uses the tensor nor marks its fault as read. */
  void look(EngineContext context, @Nullable CancelScope wait) {
    Fault found = outcome(context, wait);
    if (found != null) {
      forgetOwn(found);
    }
  }

  /** A fault that arose from a look of which no caller knows is not to be reported. */
  private void forgetOwn(Fault found) {
    if (!isOfTensor(found)) {
      found.markRead();
    }
  }

  /** Whether the tensor holds {@code found}; otherwise it arose from looking. */
  private boolean isOfTensor(Fault found) {
    Fault own = tensor.ownFault();
    Fault left = faultIn(tensor.data());
    return (own != null && own.isSameAs(found)) || (left != null && left.isSameAs(found));
  }

  @Nullable Fault outcome(EngineContext context, @Nullable CancelScope wait) {
    context.runHere(this, wait);
    return fault;
  }

  @Override
  protected boolean isSmall() {
    return true;
  }

  /** The reader is user code. */
  @Override
  protected boolean mayWait() {
    return true;
  }

  @Override
  protected boolean isObserver() {
    return true;
  }

  @Override
  protected String name() {
    return "a read of a tensor";
  }

  @Override
  protected @Nullable Fault incoming() {
    return tensor.ownFault();
  }

  @Override
  protected Object run() {
    if (!(tensor.content() instanceof DenseTensor dense)) {
      return Fault.internal("a tensor was read before it was there");
    }
    if (tensor.isClosed() || !dense.retain()) {
      return closedFault(dense);
    }
    try {
      result = reader.apply(dense);
      return DONE;
    } finally {
      dense.release();
    }
  }

  private static Fault closedFault(DenseTensor dense) {
    return UserLine.closedFault(dense).withOperation("read", List.of()).withSource(UserLine.here());
  }

  /** Closing a context closes the tensor too; the tensor's own fault says more. */
  @Override
  protected void settle(Object outcome) {
    fault = outcome instanceof Fault found ? found : null;
    if (fault != null
        && fault.type() == FaultType.CLOSED
        && fault.operation() == null
        && tensor.content() instanceof DenseTensor dense
        && dense.isClosed()) {
      fault = closedFault(dense);
    }
  }
}
