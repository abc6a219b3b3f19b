package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.memory.Resource;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operands of a call in flight. Their handles are in use from when the call is deferred until
 * it is settled, and their tensors are held while it runs, so closing them does no harm (M1).
 */
final class CallOperands {
  private final Signature signature;
  private Object[] arguments;
  private boolean deferred;

  /** Operands that were already closed when the call was made, if it was deferred. */
  private @Nullable List<Handle> closedBefore;

  /** The tensors that the running call holds. */
  private final List<DenseTensor> open = new ArrayList<>(2);

  /** Those of them that were closed with their scopes after the call was deferred. */
  private @Nullable List<DenseTensor> reopened;

  /**
   * @param arguments handles and values, in schema order
   */
  CallOperands(Signature signature, Object[] arguments) {
    this.signature = signature;
    this.arguments = arguments;
  }

  Object[] arguments() {
    return arguments;
  }

  boolean wereDeferred() {
    return deferred;
  }

  /** The handle of an operand; null if that is something else, or {@link Signature#FRESH}. */
  @Nullable Handle handle(int place) {
    return place != Signature.FRESH && arguments[place] instanceof Handle it ? it : null;
  }

  /**
   * The faults of the operands, merged; null if they have none.
   *
   * @param first the first operand that counts
   */
  @Nullable Fault fault(int first) {
    Fault fault = null;
    for (int i = first; i < arguments.length; i++) {
      fault = merged(fault, arguments[i]);
    }
    return fault;
  }

  private static @Nullable Fault merged(@Nullable Fault before, Object argument) {
    if (argument instanceof Handle tensor) {
      Fault own = tensor.ownFault();
      if (own == null || before == null) {
        return own == null ? before : own;
      }
      return before.merge(own);
    }
    Fault fault = before;
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        fault = merged(fault, element);
      }
    }
    return fault;
  }

  /** Copies the arguments, so that the caller may change them, and marks their handles as used. */
  void defer() {
    arguments = Handles.copied(arguments);
    deferred = true;
    Handles.forEach(arguments, this::use);
  }

  private void use(Handle operand) {
    if (!operand.use()) {
      closedBefore = closedBefore == null ? new ArrayList<>(1) : closedBefore;
      closedBefore.add(operand);
    }
  }

  void settle() {
    if (deferred) {
      Handles.forEach(arguments, Handle::unuse);
    }
  }

  /**
   * The run-time value of an argument, or a fault. Its tensors are held until {@link #release}.
   *
   * @param scope for tensors whose own scope was closed meanwhile
   */
  Object value(int place, ResourceScope scope) {
    return value(arguments[place], scope);
  }

  private Object value(Object argument, ResourceScope scope) {
    if (argument instanceof Handle tensor) {
      return tensor(tensor, scope);
    }
    if (!(argument instanceof List<?> list)) {
      return argument;
    }
    List<Object> values = new ArrayList<>(list.size());
    for (Object element : list) {
      Object value = value(element, scope);
      if (value instanceof Fault) {
        return value;
      }
      values.add(value);
    }
    return values;
  }

  private Object tensor(Handle handle, ResourceScope scope) {
    Object content = handle.content();
    if (!(content instanceof DenseTensor dense)) {
      return content == null
          ? Fault.internal("an operand of " + signature.name() + " was read before it was there")
          : content;
    }
    DenseTensor tensor = isClosed(handle) ? null : opened(dense, scope);
    if (tensor == null) {
      return UserLine.closedFault(dense).withOperation(signature.name(), List.of());
    }
    open.add(tensor);
    return tensor;
  }

  /** Whether an operand was closed before the call was made; closing it later does no harm. */
  private boolean isClosed(Handle tensor) {
    return deferred ? closedBefore != null && closedBefore.contains(tensor) : tensor.wasClosed();
  }

  /**
   * A tensor that the call may read and write: {@code tensor}, or another over the memory that its
   * handle holds if its scope was closed meanwhile; null if it is closed.
   */
  private @Nullable DenseTensor opened(DenseTensor tensor, ResourceScope scope) {
    if (tensor.retain()) {
      return tensor;
    }
    if (!deferred || !tensor.storage().isAlive()) {
      return null;
    }
    DenseTensor again = tensor.requiringGrad(scope, tensor.requiresGrad());
    reopened = reopened == null ? new ArrayList<>(1) : reopened;
    reopened.add(again);
    return again.retain() ? again : null;
  }

  /** The tensors that the running call holds. */
  List<DenseTensor> open() {
    return open;
  }

  /** Whether one of the held tensors was closed meanwhile. */
  boolean isAnyClosed() {
    return open.stream().anyMatch(Resource::isClosed);
  }

  /** Differs if a kernel has begun to write any of the held tensors. */
  int versions() {
    int sum = 0;
    for (DenseTensor operand : open) {
      sum += operand.storage().version();
    }
    return sum;
  }

  /** Lets go of the tensors that the call held while it ran. */
  void release() {
    open.forEach(DenseTensor::release);
    open.clear();
    if (reopened != null) {
      reopened.forEach(DenseTensor::close);
      reopened = null;
    }
  }
}
