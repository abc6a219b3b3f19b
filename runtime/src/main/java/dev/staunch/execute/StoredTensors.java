package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores values in objects, and keeps tensors alive in those that outlive the request, such as a
 * module's counter: they move to the object's own scope, and a replaced one moves to the request's.
 * In a guarded run, the guard's owner does this at the end for everything that the run stored;
 * otherwise it happens at once.
 */
final class StoredTensors {
  private StoredTensors() {}

  /** Sets a slot of {@code object}, or returns the fault of a guard that forbids it. */
  @SuppressWarnings("ReferenceEquality") // storing the same value changes nothing
  static @Nullable Fault store(
      ObjectValue object,
      int slot,
      Object value,
      @Nullable StateGuard guard,
      ResourceScope request) {
    Object old = object.get(slot);
    if (value == old || isWrittenInPlace(value, old)) {
      return null;
    }
    Fault forbidden = guard == null ? null : guard.beforeWrite(object);
    if (forbidden == null) {
      object.set(slot, guard == null ? kept(object, value, old, request) : value);
    }
    return forbidden;
  }

  /** After an in-place operation, the stored tensor already shows the new elements. */
  private static boolean isWrittenInPlace(Object value, @Nullable Object old) {
    return value instanceof DenseTensor tensor
        && old instanceof DenseTensor replaced
        && sameElements(tensor, replaced);
  }

  /** What to store in {@code object} for {@code value}, in place of {@code old}. */
  private static Object kept(
      ObjectValue object, Object value, @Nullable Object old, ResourceScope request) {
    ResourceScope home = object.home();
    if (home == null) {
      return value;
    }
    if (value instanceof DenseTensor tensor && old instanceof DenseTensor replaced) {
      Object kept = tensor.view(home, tensor.layout());
      ResourceScope.moveTo(request, replaced);
      return kept instanceof DenseTensor ? kept : value;
    }
    move(value, request, home);
    return value;
  }

  private static boolean sameElements(DenseTensor a, DenseTensor b) {
    return a.storage() == b.storage()
        && a.dtype() == b.dtype()
        && a.requiresGrad() == b.requiresGrad()
        && a.layout().equals(b.layout());
  }

  private static void move(Object value, ResourceScope request, ResourceScope home) {
    switch (value) {
      case DenseTensor tensor when tensor.scope() == request -> ResourceScope.moveTo(home, tensor);
      case List<?> list -> list.forEach(element -> move(element, request, home));
      case Map<?, ?> map -> {
        map.keySet().forEach(key -> move(key, request, home));
        map.values().forEach(element -> move(element, request, home));
      }
      case TupleValue tuple -> tuple.elements().forEach(element -> move(element, request, home));
      default -> {}
    }
  }
}
